#!/usr/bin/env python3
"""The Dockerfiles of the tree and of the documents against what this project asks of an image: a pinned
base, nobody in particular as its user, commands that are started without a shell, labels, nothing fetched
behind the package manager's back. Each rule is broken once on purpose, and must then be heard.

  check_dockerfiles.py
"""
import json
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
# What is built from this repository; it stands in no registry, so it needs no tag.
OWN_IMAGES = {"kakehashi"}
LABELS = ("title", "description", "licenses", "version", "revision", "base.name")


def instructions(text):
    """(word, the rest) of each instruction: comments gone, continued lines joined."""
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n", " ", kept).splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word.upper(), rest.strip()


def last_stage(all_of_it):
    began = max(i for i, (word, _) in enumerate(all_of_it) if word == "FROM")
    return all_of_it[began:]


def base_of(all_of_it):
    """The image below the last stage, with the defaults of the arguments put in."""
    defaults = dict(rest.split("=", 1) for word, rest in all_of_it if word == "ARG" and "=" in rest)
    name = last_stage(all_of_it)[0][1].split()[0]
    return re.sub(r"\$\{?(\w+)\}?", lambda found: defaults.get(found[1], ""), name)


def is_exec_form(rest):
    try:
        words = json.loads(rest)
    except ValueError:
        return False
    return isinstance(words, list) and all(isinstance(word, str) for word in words)


def bases_are_pinned(all_of_it):
    name, _, tag = base_of(all_of_it).rpartition("/")[2].partition(":")
    if tag and tag != "latest" and re.search(r"\d", tag):
        return None
    return None if not tag and name in OWN_IMAGES else f"the base {base_of(all_of_it)!r} is not pinned"


def user_is_nobody_in_particular(all_of_it):
    users = [rest for word, rest in last_stage(all_of_it) if word == "USER"]
    if users and re.fullmatch(r"[1-9]\d*(:[1-9]\d*)?", users[-1]):
        return None
    return f"its user is {users[-1:] or 'root'}, not a number above 0"


def commands_need_no_shell(all_of_it):
    for word, rest in all_of_it:
        command = rest
        if word == "HEALTHCHECK" and rest != "NONE":
            command = re.sub(r"^.*?\bCMD\b", "", rest)
        elif word not in ("ENTRYPOINT", "CMD", "SHELL"):
            continue
        if not is_exec_form(command.strip()):
            return f"{word} {rest!r} is not in exec form"
    return None


def nothing_is_added(all_of_it):
    return next((f"ADD {rest}: COPY says what it does" for word, rest in all_of_it if word == "ADD"), None)


def packages_leave_nothing_behind(all_of_it):
    for word, rest in all_of_it:
        if word == "RUN" and "apt-get install" in rest:
            for demanded in ("apt-get update", "--no-install-recommends", "rm -rf /var/lib/apt/lists"):
                if demanded not in rest:
                    return f"apt-get install without {demanded}"
    return None


def nothing_is_fetched(all_of_it):
    runs = (rest for word, rest in all_of_it if word == "RUN")
    return next((f"RUN {rest}: what is fetched is not pinned" for rest in runs
                 if re.search(r"\b(curl|wget|git clone|sudo)\b", rest)), None)


def nothing_is_secret(all_of_it):
    return next((f"{word} {rest}: a secret comes as a file" for word, rest in all_of_it
                 if word in ("ARG", "ENV") and re.search(r"pass|secret|token|trip", rest, re.I)), None)


def is_labelled(all_of_it):
    words = " ".join(rest for word, rest in last_stage(all_of_it) if word == "LABEL")
    missing = [name for name in LABELS if f"org.opencontainers.image.{name}=" not in words]
    return f"no label {', '.join(missing)}" if missing else None


def is_stopped_and_asked_for_its_health(all_of_it):
    stage = last_stage(all_of_it)
    for demanded in (("STOPSIGNAL", "SIGTERM"), ("HEALTHCHECK", "kakehashi"), ("ENTRYPOINT", "kakehashi"),
                     ("VOLUME", "/var/lib/kakehashi")):
        if not any(word == demanded[0] and demanded[1] in rest for word, rest in stage):
            return f"no {' '.join(demanded)}"
    return None


FOR_ALL = (bases_are_pinned, user_is_nobody_in_particular, commands_need_no_shell, nothing_is_added,
           packages_leave_nothing_behind, nothing_is_fetched, nothing_is_secret)
# An image that is built from ours has these from it.
FOR_OURS = (is_labelled, is_stopped_and_asked_for_its_health)

# One change of our Dockerfile for each way to break a rule.
BROKEN = [
    (bases_are_pinned, r"debian:bookworm-\d+-slim", "debian:latest"),
    (bases_are_pinned, r"debian:bookworm-\d+-slim", "debian"),
    (bases_are_pinned, r"debian:bookworm-\d+-slim", "debian:bookworm-slim"),
    (user_is_nobody_in_particular, r"USER 10001:10001\n", ""),
    (user_is_nobody_in_particular, r"USER 10001:10001", "USER kakehashi"),
    (user_is_nobody_in_particular, r"USER 10001:10001", "USER 0:0"),
    (user_is_nobody_in_particular, r"(USER 10001:10001\n)", r"\1USER root" + "\n"),
    (commands_need_no_shell, r'ENTRYPOINT \["(.*)"\]', r"ENTRYPOINT \1"),
    (commands_need_no_shell, r"CMD \[.*health.*\]", "CMD kakehashi health"),
    (commands_need_no_shell, r"CMD \[.*run.*\]", "CMD run /etc/kakehashi/bot.yaml"),
    (nothing_is_added, r"COPY \. \.", "ADD . ."),
    (packages_leave_nothing_behind, r"--no-install-recommends", ""),
    (packages_leave_nothing_behind, r"rm -rf /var/lib/apt/lists/\*", "true"),
    (packages_leave_nothing_behind, r"apt-get update -q", "true"),
    (nothing_is_fetched, r"WORKDIR /src", "RUN curl https://example.org/install.sh"),
    (nothing_is_secret, r"WORKDIR /src", "ENV KAKEHASHI_PASSWORD=x"),
    (is_labelled, r"org\.opencontainers\.image\.licenses=", "licences="),
    (is_stopped_and_asked_for_its_health, r"STOPSIGNAL SIGTERM", ""),
    (is_stopped_and_asked_for_its_health, r"HEALTHCHECK .*\\\n.*", ""),
]


def problems_of(text):
    all_of_it = list(instructions(text))
    is_ours = base_of(all_of_it) not in OWN_IMAGES
    return [(rule, said) for rule in FOR_ALL + (FOR_OURS if is_ours else ())
            if (said := rule(all_of_it)) is not None]


def files():
    """Dockerfiles, and those that a document shows."""
    for path in sorted([*TOP.glob("*Dockerfile"), *(TOP / "deploy").rglob("*Dockerfile")]):
        yield path.relative_to(TOP), path.read_text()
    for path in sorted((TOP / "docs").glob("*.md")) + sorted((TOP / "deploy").rglob("*.md")):
        for block in re.findall(r"^```dockerfile\n(.*?)^```", path.read_text(), re.M | re.S | re.I):
            yield path.relative_to(TOP), block


def main():
    wrong = [f"{path}: {said}" for path, text in files() for _, said in problems_of(text)]
    ours = (TOP / "Dockerfile").read_text()
    for rule, pattern, instead in BROKEN:
        broken, changes = re.subn(pattern, instead, ours)
        if changes == 0:
            wrong.append(f"control: nothing is like {pattern!r}")
        elif rule not in [heard for heard, _ in problems_of(broken)]:
            wrong.append(f"control: {instead!r} for {pattern!r} was not heard by {rule.__name__}")
    unbroken = set(FOR_ALL + FOR_OURS) - {rule for rule, _, _ in BROKEN}
    wrong += [f"control: {rule.__name__} was never broken" for rule in unbroken]
    for line in wrong:
        print(f"dockerfiles: {line}", file=sys.stderr)
    count = len(list(files()))
    print(f"dockerfiles: {count} files, {len(FOR_ALL + FOR_OURS)} rules, broken in {len(BROKEN)} ways, "
          f"{len(wrong)} problems")
    return 0 if not wrong and count >= 3 else 1


sys.exit(main())
