"""TLS at home: a certificate authority this box makes for itself, and the short-lived certificate it serves.

The authority's key stays in the data folder and may only sign for this house: home names and private
addresses (RFC 5280 name constraints), so that trusting it gives nobody power over any other site.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from household.box.network import NAME

CA_LASTS = dt.timedelta(days=3650)
# Browsers refuse longer ones.
LEAF_LASTS = dt.timedelta(days=397)
RENEW_BEFORE = dt.timedelta(days=30)
EARLIER = dt.timedelta(days=1)  # a device whose clock is a little behind accepts it too
HOME_NAMES = ("local", "localhost", "lan", "home.arpa", "home", "fritz.box", "internal")
HOME_NETWORKS = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
)


@dataclass(frozen=True)
class Files:
    """Where the authority and the box's certificate lie."""

    ca: Path
    ca_key: Path
    box: Path
    box_key: Path


def files(house: Path) -> Files:
    """The paths of all four under the data folder."""
    folder = house / "tls"
    return Files(folder / "ca.pem", folder / "ca.key", folder / "box.pem", folder / "box.key")


def ready(house: Path, *, addresses: Iterable[str], now: dt.datetime) -> bool:
    """Have an authority and a certificate good for a month and these addresses; whether it is a new one."""
    place = files(house)
    place.ca.parent.mkdir(mode=0o700, exist_ok=True)
    if not place.ca.exists() or not place.ca_key.exists() or _read(place.ca).not_valid_after_utc <= now:
        _make_ca(place, now)
    wanted = _names(addresses)
    if _serves(place, wanted, now):
        return False
    _make_leaf(place, wanted, now)
    return True


def fingerprint(house: Path) -> str:
    """SHA-256 of the authority's certificate, as devices show it: pairs of hex digits with colons."""
    return _read(files(house).ca).fingerprint(hashes.SHA256()).hex(":").upper()


def ca_der(house: Path) -> bytes:
    """The authority's certificate as phones take it."""
    return _read(files(house).ca).public_bytes(serialization.Encoding.DER)


def _read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def _names(addresses: Iterable[str]) -> list[x509.GeneralName]:
    names: list[x509.GeneralName] = [x509.DNSName(NAME), x509.DNSName("localhost")]
    host = socket.gethostname().split(".")[0].lower()
    if host.isascii() and host.replace("-", "").isalnum() and f"{host}.local" != NAME:
        names.append(x509.DNSName(f"{host}.local"))
    numbers = {ipaddress.ip_address(address) for address in [*addresses, "127.0.0.1", "::1"]}
    private = [
        number for number in numbers if any(number in ipaddress.ip_network(one) for one in HOME_NETWORKS)
    ]
    return names + [x509.IPAddress(number) for number in sorted(private, key=str)]


def _serves(place: Files, wanted: list[x509.GeneralName], now: dt.datetime) -> bool:
    """Whether the certificate that is there lasts, and was signed by our authority for these names."""
    if not place.box.exists() or not place.box_key.exists():
        return False
    held, ca = _read(place.box), _read(place.ca)
    names = held.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return (
        held.issuer == ca.subject
        and held.not_valid_before_utc <= now
        and held.not_valid_after_utc - RENEW_BEFORE > now
        and set(wanted) <= set(names)
    )


def _make_ca(place: Files, now: dt.datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Hearthbook"),
            # Its birthday in the name tells two authorities of one house apart.
            x509.NameAttribute(NameOID.COMMON_NAME, f"Hearthbook at home, {now.date().isoformat()}"),
        ]
    )
    permitted: list[x509.GeneralName] = [x509.DNSName(home) for home in HOME_NAMES]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in HOME_NETWORKS]
    certificate = (
        _begin(name, name, key.public_key(), now, CA_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _keep(place.ca_key, _pem(key))
    _keep(place.ca, certificate.public_bytes(serialization.Encoding.PEM))
    place.box.unlink(missing_ok=True)


def _make_leaf(place: Files, names: list[x509.GeneralName], now: dt.datetime) -> None:
    ca, ca_key = _read(place.ca), serialization.load_pem_private_key(place.ca_key.read_bytes(), None)
    assert isinstance(ca_key, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    lasts = min(LEAF_LASTS, ca.not_valid_after_utc - now)
    certificate = (
        _begin(subject, ca.subject, key.public_key(), now, lasts)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()), critical=False
        )
        .sign(ca_key, hashes.SHA256())
    )
    _keep(place.box_key, _pem(key))
    _keep(place.box, certificate.public_bytes(serialization.Encoding.PEM))


def _begin(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    now: dt.datetime,
    lasts: dt.timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + lasts - EARLIER)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _keep(path: Path, content: bytes) -> None:
    """Write a file its owner alone reads, whole or not at all."""
    part = path.with_suffix(".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
