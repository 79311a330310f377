#!/usr/bin/env python3
"""What scripts/release.sh writes besides programs: an OCI image out of plain trees, the bill of materials, the notes.

    release_files.py image --dockerfile FILE --base TAR --layer TAR --architecture amd64|arm64 --version V --commit C --out DIR
    release_files.py sbom --version V --commit C --libraries ARCHITECTURE=DPKG_STATUS... [--base ARCHITECTURE=TAR...]
    release_files.py notes --version V CHANGELOG

All times are SOURCE_DATE_EPOCH: the same input gives the same bytes.
"""
import argparse
import datetime
import gzip
import hashlib
import json
import os
import re
import shlex
import sys
import tarfile
import uuid

CREATED = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
CREATED = CREATED.strftime("%Y-%m-%dT%H:%M:%SZ")

# What is linked into the programs: Debian's package, the name its makers use, its licence.
LINKED = [
    ("libboost1.81-dev", "Boost", "BSL-1.0"),
    ("libssl-dev", "OpenSSL", "Apache-2.0"),
    ("libyaml-cpp-dev", "yaml-cpp", "MIT"),
    ("zlib1g-dev", "zlib", "Zlib"),
    ("libsqlite3-dev", "SQLite", "blessing"),
    ("libcli11-dev", "CLI11", "BSD-3-Clause"),
    ("libfmt-dev", "{fmt}", "MIT"),
    ("libc6-dev", "GNU C Library", "LGPL-2.1-or-later"),
    ("libstdc++-12-dev", "GNU libstdc++ and libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
]


def write_json(document):
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


# --- the image ---

def last_stage(dockerfile, values):
    """The instructions of the last stage as an OCI configuration: what the Dockerfile says is said once."""
    with open(dockerfile) as file:
        text = re.sub(r"\\\n", " ", "".join(line for line in file if not line.lstrip().startswith("#")))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    start = max(i for i, line in enumerate(lines) if line.startswith("FROM "))
    config = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], "Labels": {}}
    for line in lines[start + 1:]:
        word, rest = line.split(None, 1)
        for name, value in values.items():
            rest = rest.replace("${" + name + "}", value)
        if word == "LABEL":
            config["Labels"].update(pair.split("=", 1) for pair in shlex.split(rest))
        elif word == "USER":
            config["User"] = rest
        elif word == "WORKDIR":
            config["WorkingDir"] = rest
        elif word == "VOLUME":
            config["Volumes"] = {rest: {}}
        elif word == "STOPSIGNAL":
            config["StopSignal"] = rest
        elif word == "EXPOSE":
            config["ExposedPorts"] = {rest + "/tcp": {}}
        elif word == "ENTRYPOINT":
            config["Entrypoint"] = json.loads(rest)
        elif word == "CMD":
            config["Cmd"] = json.loads(rest)
        elif word == "HEALTHCHECK":
            config["Healthcheck"] = healthcheck(rest)
        elif word not in ("ARG", "COPY"):
            sys.exit(f"release: the Dockerfile's {word} is not understood")
    return config


def healthcheck(text):
    """Docker's own addition, which OCI lets pass."""
    options, command = text.split("CMD", 1)
    check = {"Test": ["CMD", *json.loads(command)]}
    for name, value in re.findall(r"--(\S+?)=(\S+)", options):
        key = {"interval": "Interval", "timeout": "Timeout", "start-period": "StartPeriod", "retries": "Retries"}[name]
        number = int(re.match(r"\d+", value)[0])
        unit = {"s": 1, "m": 60}.get(value[-1], 0)
        check[key] = number * unit * 10**9 if unit else number
    return check


class Layout:
    """An OCI image layout: blobs by their SHA-256."""

    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory + "/blobs/sha256")

    def add(self, data, media_type, **more):
        digest = hashlib.sha256(data).hexdigest()
        with open(f"{self.directory}/blobs/sha256/{digest}", "wb") as file:
            file.write(data)
        return {"mediaType": media_type, "digest": "sha256:" + digest, "size": len(data), **more}

    def write(self, name, document):
        with open(f"{self.directory}/{name}", "w") as file:
            file.write(write_json(document))


def make_image(options):
    layout = Layout(options.out)
    layers, unpacked = [], []
    for path in (options.base, options.layer):
        with open(path, "rb") as file:
            data = file.read()
        unpacked.append("sha256:" + hashlib.sha256(data).hexdigest())
        layers.append(layout.add(gzip.compress(data, 9, mtime=0), "application/vnd.oci.image.layer.v1.tar+gzip"))
    platform = {"architecture": options.architecture, "os": "linux"}
    if options.architecture == "arm64":
        platform["variant"] = "v8"
    config = last_stage(options.dockerfile, {"VERSION": options.version, "REVISION": options.commit})
    # The base is no image that has a name: it is made by mmdebstrap.
    del config["Labels"]["org.opencontainers.image.base.name"]
    image = {**platform, "created": CREATED, "config": config, "rootfs": {"type": "layers", "diff_ids": unpacked},
             "history": [{"created": CREATED, "created_by": "Debian 12 by mmdebstrap"},
                         {"created": CREATED, "created_by": "scripts/release.sh"}]}
    manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": layout.add(write_json(image).encode(), "application/vnd.oci.image.config.v1+json"),
                "layers": layers}
    named = {"org.opencontainers.image.ref.name": options.version, "io.containerd.image.name": f"kakehashi:{options.version}"}
    entry = layout.add(write_json(manifest).encode(), manifest["mediaType"], platform=platform, annotations=named)
    layout.write("index.json", {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
                                "manifests": [entry]})
    layout.write("oci-layout", {"imageLayoutVersion": "1.0.0"})
    # `docker load` before Docker 25 reads this and nothing of the above.
    blob = lambda one: "blobs/" + one["digest"].replace(":", "/")
    layout.write("manifest.json", [{"Config": blob(manifest["config"]), "Layers": [blob(layer) for layer in layers],
                                    "RepoTags": [f"kakehashi:{options.version}"]}])


# --- the bill of materials ---

def packages_of(text):
    """Of a dpkg status file: name to its fields."""
    found = {}
    for block in text.split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", block, re.M))
        if "Package" in fields and "installed" in fields.get("Status", ""):
            found[fields["Package"]] = fields
    return found


def purl(package, architecture):
    version = package["Version"].replace(":", "%3A").replace("+", "%2B")
    name = package["Package"].replace("+", "%2B")
    return f"pkg:deb/debian/{name}@{version}?arch={architecture}&distro=debian-12"


def make_sbom(options):
    components = []
    for item in options.libraries:
        architecture, path = item.split("=", 1)
        with open(path) as file:
            installed = packages_of(file.read())
        for name, title, licence in LINKED:
            if name not in installed:
                sys.exit(f"release: {path} knows no {name}")
            package = installed[name]
            components.append({"type": "library", "name": title, "version": package["Version"],
                               "purl": purl(package, architecture), "bom-ref": f"linked/{name}/{architecture}",
                               "licenses": [{"expression": licence}],
                               "properties": [{"name": "kakehashi:in", "value": "static program and keeper"
                                               if name in ("libc6-dev", "libstdc++-12-dev") else "static program"}]})
    for item in options.base or []:
        architecture, path = item.split("=", 1)
        with tarfile.open(path) as tar:
            installed = packages_of(tar.extractfile("./var/lib/dpkg/status").read().decode())
        for name, package in sorted(installed.items()):
            components.append({"type": "library", "name": name, "version": package["Version"],
                               "purl": purl(package, package["Architecture"]), "bom-ref": f"image/{name}/{architecture}",
                               "properties": [{"name": "kakehashi:in", "value": "container image"}]})
    program = {"type": "application", "name": "kakehashi", "version": options.version, "bom-ref": "kakehashi",
               "licenses": [{"license": {"id": "MIT"}}],
               "properties": [{"name": "kakehashi:commit", "value": options.commit}]}
    body = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"timestamp": CREATED, "component": program}, "components": components,
            "dependencies": [{"ref": "kakehashi", "dependsOn": [c["bom-ref"] for c in components]}]}
    body["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, write_json(body))}"
    sys.stdout.write(write_json(body))


# --- the notes ---

def make_notes(options):
    with open(options.changelog) as file:
        chapters = re.split(r"^## ", file.read(), flags=re.M)[1:]
    chapter = next((one for one in chapters if re.match(re.escape(options.version) + r"\b", one)), None)
    if not chapter:
        sys.exit(f"release: the change log has no chapter {options.version}")
    # The links of the change log are those of the source tree, beside which the notes do not lie.
    text = re.sub(r"\]\((?!https?:)([^)]*)\)", "]", chapter.split("\n", 1)[1]).strip()
    text = re.sub(r"\[([^\]\[]*)\](?!\()", r"\1", text)
    sys.stdout.write(f"# Kakehashi {options.version}\n\n{text}\n")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    image = commands.add_parser("image")
    for name in ("dockerfile", "base", "layer", "architecture", "version", "commit", "out"):
        image.add_argument("--" + name, required=True)
    image.set_defaults(run=make_image)
    sbom = commands.add_parser("sbom")
    sbom.add_argument("--version", required=True)
    sbom.add_argument("--commit", required=True)
    sbom.add_argument("--libraries", action="append", required=True)
    sbom.add_argument("--base", action="append")
    sbom.set_defaults(run=make_sbom)
    notes = commands.add_parser("notes")
    notes.add_argument("--version", required=True)
    notes.add_argument("changelog")
    notes.set_defaults(run=make_notes)
    options = parser.parse_args()
    options.run(options)


main()
