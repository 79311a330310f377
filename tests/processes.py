"""What runs on this machine, as /proc tells it. Who ends while it is read is not there; nobody's end is an error."""
import glob
import typing


class Process(typing.NamedTuple):
    number: int
    parent: int
    words: list  # of its command line; one at least

    @property
    def line(self):
        return " ".join(self.words)


def texts(pattern):
    """Of the files below /proc that fit; pathlib's glob would fail on who ends meanwhile."""
    for file in glob.glob("/proc/" + pattern):
        try:
            with open(file, errors="replace") as opened:
                yield opened.read()
        except OSError:
            pass


def text(file):
    """Empty: it is gone."""
    return next(texts(file), "")


def running():
    """All but those that have ended and wait for somebody to collect them."""
    found = []
    for stat in texts("[0-9]*/stat"):
        number = int(stat.split(" ", 1)[0])
        state, parent = stat.rsplit(") ", 1)[1].split()[:2]
        if state not in "ZX":
            found.append(Process(number, int(parent), text(f"{number}/cmdline").rstrip("\0").split("\0")))
    return found
