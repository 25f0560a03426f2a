"""Writes a folder as a zip archive: the same bytes for the same files. A folder with metadata of
a wheel becomes a wheel."""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path


def main(folder: Path, archive: Path) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as writer:
        record = ""
        for path in files:
            name = path.relative_to(folder).as_posix()
            data = path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
            add(writer, name, data, path.stat().st_mode & 0o111)
        for info in folder.glob("*.dist-info"):
            name = f"{info.name}/RECORD"
            add(writer, name, f"{record}{name},,\n".encode(), 0)


def add(writer: zipfile.ZipFile, name: str, data: bytes, executable: int) -> None:
    # The oldest time that the format knows.
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.create_system = 3
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    writer.writestr(entry, data)


main(Path(sys.argv[1]), Path(sys.argv[2]))
