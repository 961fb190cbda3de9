"""A figure: a table with its verdicts and the commands it came from; as JSON and as Markdown."""

from dataclasses import dataclass, field


@dataclass
class Goal:
    """Something that must be reached. `reached` is None where it cannot be told."""

    what: str
    limit: str
    measured: str
    reached: bool | None


@dataclass
class Figure:
    name: str
    title: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    data: list[dict] = field(default_factory=list)  # the rows as numbers, for machines
    seconds: float = 0

    def markdown(self) -> str:
        out = [f"## {self.title}", "", row(self.columns), row(["---"] + ["--:"] * (len(self.columns) - 1))]
        out += [row(cells) for cells in self.rows]
        out.append("")
        for goal in self.goals:
            word = {True: "reached", False: "**not reached**", None: "cannot tell"}[goal.reached]
            out.append(f"- {goal.what}: {goal.measured} (must reach: {goal.limit}): {word}")
        out += [f"- {note}" for note in self.notes]
        if self.commands:
            out += ["", "```", *self.commands, "```"]
        out.append("")
        return "\n".join(out)


def row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def micros(nanos: float | None, digits: int = 1) -> str:
    return "–" if nanos is None else f"{nanos / 1e3:.{digits}f}"


def millis(nanos: float | None, digits: int = 2) -> str:
    return "–" if nanos is None else f"{nanos / 1e6:.{digits}f}"
