#pragma once

#include "store/database.hpp"

namespace scoville::store {

/// Of the tables (docs/formats/store.md). A change of them is a new number and a migration.
inline constexpr int kSchemaVersion = 2;

/// Brings a file to kSchemaVersion, from nothing too, in one transaction. A file of a newer version, or of somebody
/// else's, is an error and stays as it is.
Status migrate(Database& database);

/// For reading only: an error where the file is not of kSchemaVersion.
Status check_schema(const Database& database);

}  // namespace scoville::store
