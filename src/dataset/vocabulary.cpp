#include "dataset/vocabulary.hpp"

#include <array>

namespace scoville::dataset {
namespace {

constexpr std::array<std::string_view, 512> kWords{
    "in",       "to",       "of",       "and",      "for",     "is",       "be",       "on",       "this",
    "if",       "that",     "it",       "as",       "with",    "an",       "return",   "or",       "you",
    "new",      "from",     "at",       "are",      "class",   "not",      "by",       "he",       "was",
    "we",       "public",   "us",       "have",     "get",     "can",      "do",       "all",      "will",
    "your",     "out",      "has",      "up",       "but",     "go",       "function", "set",      "me",
    "so",       "more",     "his",      "they",     "data",    "one",      "name",     "true",     "end",
    "my",       "their",    "private",  "who",      "time",    "man",      "which",    "any",      "value",
    "no",       "about",    "add",      "over",     "type",    "part",     "work",     "when",     "use",
    "off",      "other",    "been",     "had",      "were",    "file",     "would",    "our",      "year",
    "some",     "there",    "said",     "her",      "like",    "let",      "also",     "than",     "just",
    "result",   "them",     "into",     "what",     "list",    "case",     "first",    "act",      "only",
    "its",      "back",     "need",     "start",    "user",    "under",    "then",     "how",      "people",
    "should",   "test",     "make",     "after",    "right",   "long",     "she",      "read",     "form",
    "want",     "number",   "require",  "key",      "two",     "size",     "where",    "while",    "look",
    "could",    "know",     "hand",     "most",     "try",     "now",      "him",      "break",    "every",
    "point",    "text",     "show",     "find",     "current", "play",     "see",      "help",     "these",
    "pass",     "down",     "even",     "did",      "through", "last",     "event",    "again",    "high",
    "line",     "does",     "before",   "because",  "state",   "here",     "final",    "run",      "very",
    "model",    "way",      "call",     "well",     "years",   "view",     "many",     "good",     "child",
    "person",   "style",    "method",   "expect",   "such",    "think",    "much",     "open",     "next",
    "follow",   "car",      "game",     "each",     "support", "own",      "sign",     "those",    "system",
    "best",     "same",     "create",   "made",     "group",   "world",    "process",  "main",     "color",
    "report",   "take",     "day",      "top",      "free",    "action",   "real",     "build",    "message",
    "art",      "between",  "table",    "head",     "must",    "order",    "say",      "product",  "place",
    "week",     "program",  "response", "code",     "without", "still",    "field",    "team",     "second",
    "range",    "fact",     "home",     "left",     "direct",  "allow",    "page",     "around",   "image",
    "both",     "put",      "level",    "local",    "too",     "great",    "month",    "life",     "catch",
    "pay",      "change",   "position", "old",      "book",    "three",    "law",      "base",     "during",
    "against",  "power",    "project",  "success",  "date",    "big",      "few",      "another",  "sit",
    "care",     "effect",   "leg",      "service",  "since",   "full",     "turn",     "body",     "stand",
    "keep",     "throw",    "red",      "control",  "come",    "source",   "ask",      "business", "might",
    "never",    "hard",     "small",    "job",      "address", "little",   "better",   "feel",     "already",
    "always",   "parent",   "less",     "account",  "lot",     "bit",      "sure",     "rest",     "interest",
    "site",     "cell",     "player",   "cost",     "total",   "clear",    "seem",     "short",    "company",
    "health",   "reason",   "within",   "design",   "school",  "consider", "include",  "stop",     "love",
    "able",     "men",      "give",     "lead",     "family",  "option",   "exist",    "offer",    "water",
    "step",     "four",     "present",  "room",     "once",    "continue", "grow",     "mean",     "until",
    "market",   "area",     "kind",     "light",    "side",    "example",  "miss",     "plan",     "near",
    "country",  "author",   "along",    "begin",    "win",     "thing",    "why",      "single",   "season",
    "recent",   "money",    "window",   "least",    "record",  "close",    "write",    "move",     "special",
    "city",     "tell",     "course",   "late",     "amount",  "enough",   "hold",     "property", "low",
    "price",    "today",    "story",    "meet",     "sort",    "task",     "above",    "question", "word",
    "provide",  "research", "cover",    "large",    "role",    "deal",     "problem",  "press",    "though",
    "ever",     "million",  "happen",   "server",   "often",   "space",    "face",     "save",     "social",
    "major",    "food",     "send",     "become",   "certain", "news",     "material", "below",    "media",
    "black",    "buy",      "came",     "card",     "claim",   "air",      "enter",    "night",    "pick",
    "watch",    "human",    "tax",      "girl",     "box",     "strong",   "house",    "section",  "wait",
    "together", "others",   "fund",     "several",  "subject", "history",  "future",   "bad",      "live",
    "hope",     "young",    "study",    "network",  "cut",     "went",     "fire",     "across",   "official",
    "visit",    "learn",    "mind",     "quick",    "series",  "hot",      "original", "bill",     "draw",
    "front",    "early",    "center",   "language", "ago",     "easy",     "white",    "period",   "common",
    "suggest",  "among",    "answer",   "walk",     "age",     "five",     "friend",   "clean",    "issue",
    "land",     "quality",  "half",     "simple",   "empty",   "nothing",  "someone",  "share",    "personal",
    "whole",    "likely",   "rate",     "correct",  "fall",    "believe",  "similar",  "son",      "moment",
    "bring",    "entire",   "member",   "foot",     "board",   "push",     "idea",     "film",     "teach",
    "phone",    "active",   "article",  "almost",   "sell",    "general",  "party",    "normal",   "music",
    "speed",    "concern",  "term",     "probably", "weight",  "loss",     "stay",     "perfect",
};

}  // namespace

std::span<const std::string_view> vocabulary() { return kWords; }

}  // namespace scoville::dataset
