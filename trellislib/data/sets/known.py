"""The data sets of the paper, and some others that are often used: what they are called, and where they are published.

The real sets come from the repository of Mulan (github.com/tsoumakas/mulan), at one fixed commit; each set's folder
there has a README that names the work to cite. Their authors hold the rights to them: none is part of this library.
"Music" and "Scene" are the paper's names for Mulan's "emotions" and "scene"; Local400 and Local10k are simulated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from trellislib.data.dataset import DataError


@dataclass(frozen=True)
class KnownFile:
    """A published file.

    Attributes
    ----------
    name : str
        What it is called.
    sha256 : str, optional
        Of its content.
    n_bytes : int, optional
        Its length.
    other_names : tuple of str
        What the same content is called elsewhere.
    """

    name: str
    sha256: str | None = None
    n_bytes: int | None = None
    other_names: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return (self.name, *self.other_names)


@dataclass(frozen=True)
class KnownSet:
    """A data set by what has been published of it.

    Attributes
    ----------
    key : str
        By which this library knows it.
    name : str
        What the loaded data set is called: the paper's name, where it has one.
    paper_name : str, optional
        The row of the paper's tables in which it stands.
    n_instances, n_labels, n_features : int
        N, L and D; features as they are counted where it is published, before categories become indicators.
    label_cardinality : float
        As published.
    files : tuple of KnownFile
        ARFF (one, or a training and a test file), and last the XML that names the labels; empty for simulated sets.
    folder : str, optional
        Its folder in Mulan's repository, under ``data/multi-label``; None where it is not fetched from there.
    data_id : int, optional
        Its number at OpenML.
    note : str
        What else one should know, as a sentence.
    """

    key: str
    name: str
    paper_name: str | None
    n_instances: int
    n_labels: int
    n_features: int
    label_cardinality: float
    files: tuple[KnownFile, ...] = ()
    folder: str | None = None
    data_id: int | None = None
    note: str = ""

    @property
    def can_be_fetched(self) -> bool:
        """Whether `trellislib.data.fetch` offers it."""
        return self.folder is not None or self.data_id is not None

    @property
    def n_bytes(self) -> int:
        """How much a download takes, as far as that is known."""
        return sum(file.n_bytes or 0 for file in self.files)

    @property
    def stem(self) -> str:
        """What the names of its files have in common."""
        return self.files[-1].name.removesuffix(".xml") if self.files else self.key


_SETS = (
    KnownSet(
        "emotions",
        "Music",
        "Music",
        n_instances=593,
        n_labels=6,
        n_features=72,
        label_cardinality=1.868,
        files=(
            KnownFile("emotions.arff", "6f2f790047073d1293ac0872c0d55f2dc98b6177802fc96c6b66b309dfee1e4b", 380_476),
            KnownFile("emotions.xml", "dbce8e6ccbbb2fcbfd9e9edbb230d7ed12692c6e13f59fdbc0161fa9b6cf2dc0", 323),
        ),
        folder="emotions",
        data_id=40589,
    ),
    KnownSet(
        "scene",
        "Scene",
        "Scene",
        n_instances=2_407,
        n_labels=6,
        n_features=294,
        label_cardinality=1.074,
        files=(
            KnownFile(
                "scene-train.arff", "b53ba93bdf412de922e3960389bcee24744fa3e872ce610511fc1d750888b64d", 3_127_968
            ),
            KnownFile("scene-test.arff", "ea38d20296b3ff7e220f477a3b802a9bcb2d768881fe6ee163efbc97ea527a42", 3_090_742),
            KnownFile("scene.xml", "55d8b247b949ad5c52e5a73d8c6775ec6e5469ce9682465b45b333b68ee4bcc5", 285),
        ),
        folder="scene",
        data_id=40595,
        note="Mulan's repository has it as a training and a test file, which are joined.",
    ),
    KnownSet(
        "yeast",
        "Yeast",
        "Yeast",
        n_instances=2_417,
        n_labels=14,
        n_features=103,
        label_cardinality=4.237,
        files=(
            KnownFile("yeast.arff", "55c07a3b6ff885ae338fb6987a1d57f55572b29809922c2822c4885c61230dd7", 2_416_688),
            KnownFile("yeast.xml", "c3056cc26444b5158b1588d1b73bec9c45429e10f0957ad085903423cb81f247", 526),
        ),
        folder="yeast",
        data_id=40597,
        note="The package river carries it, too.",
    ),
    KnownSet(
        "medical",
        "Medical",
        "Medical",
        n_instances=978,
        n_labels=45,
        n_features=1_449,
        label_cardinality=1.245,
        files=(
            KnownFile("medical.arff", "ad0630a9a409ed0023c3bb56a0be7610b635c1ca185c6035e3b198b01167aac4", 129_626),
            KnownFile("medical.xml", "51fa9d5c09e48caff3f0a0c75db1c9aa85944f8e35451f3ad8bd56fc422286ce", 1_818),
        ),
        folder="medical",
    ),
    KnownSet(
        "enron",
        "Enron",
        "Enron",
        n_instances=1_702,
        n_labels=53,
        n_features=1_001,
        label_cardinality=3.378,
        files=(
            KnownFile("enron.arff", "d0889ef0576d4e7b5ec0df3b3e4760e476ac11a6e7d7ddeee4c4a34470dedf97", 906_705),
            KnownFile("enron.xml", "ed40c92d7f613eed51714912cab10dddc4ce456262137d8fef230d44c7f4457b", 1_604),
        ),
        folder="enron",
    ),
    KnownSet(
        "tmc2007",
        "TMC2007",
        "TMC2007",
        n_instances=28_596,
        n_labels=22,
        n_features=500,
        label_cardinality=2.158,
        files=(
            KnownFile(
                "tmc2007-500.arff", "3ea7e95dd80a78a3e7d521d77c3371bfef888da1d364b5a3bb71c7222ad7f013", 4_193_699
            ),
            KnownFile(
                "tmc2007-500.xml",
                "cb6a67c8ae72fd9b47d89f77aa5b7f6cafb4ba9c20b1124c65a95a3f2caec38d",
                783,
                other_names=("tmc2007.xml",),
            ),
        ),
        folder="tmc2007",
        note="The form with 500 selected words, which the paper uses.",
    ),
    KnownSet(
        "mediamill",
        "MediaMill",
        "MediaMill",
        n_instances=43_907,
        n_labels=101,
        n_features=120,
        label_cardinality=4.376,
        files=(KnownFile("mediamill.arff"), KnownFile("mediamill.xml")),
        note="It is not offered for download; put mediamill.arff and mediamill.xml into the folder of data sets.",
    ),
    KnownSet(
        "mediamill-sample",
        "MediaMill (2,000 rows)",
        "MediaMill",
        n_instances=2_000,
        n_labels=101,
        n_features=120,
        label_cardinality=4.394,
        files=(
            KnownFile(
                "mediamill-sample.arff", "b1d2c5b03c081d24cc5f80ae55d78a6198b3fe33de852e7c848d1cc6ab7e5a7a", 2_542_985
            ),
            KnownFile(
                "mediamill-sample.xml", "398a38599da3f390f4247e08c81c283817875d06a8278b10db3b514855e837dd", 3_328
            ),
        ),
        note="A sample of the paper's 43,907 rows, from github.com/YoungHJung/OnlineMLRBoostingWithVFDT.",
    ),
    KnownSet(
        "delicious",
        "Delicious",
        "Delicious",
        n_instances=16_105,
        n_labels=983,
        n_features=500,
        label_cardinality=19.020,
        files=(
            KnownFile("delicious.arff", "b944de0bca910050c11d97eed57d17b073110ea3646a587f3d15d127cf581aab", 3_773_732),
            KnownFile("delicious.xml", "4e0c0f93c7d86a39b9fca4aaefaa00e9428f2c80277732dfbf03ca48e2c14da2", 34_303),
        ),
        folder="delicious",
    ),
    KnownSet(
        "local400",
        "Local400",
        "Local400",
        n_instances=10_000,
        n_labels=400,
        n_features=30,
        label_cardinality=12.84,
        note="Simulated; as the paper prints the generator, label cardinality is 11.84.",
    ),
    KnownSet(
        "local10k",
        "Local10k",
        "Local10k",
        n_instances=50_000,
        n_labels=10_000,
        n_features=30,
        label_cardinality=25.78,
        note="Simulated; as the paper prints the generator, label cardinality is 127.4.",
    ),
    KnownSet(
        "flags",
        "flags",
        None,
        n_instances=194,
        n_labels=7,
        n_features=19,
        label_cardinality=3.392,
        files=(
            KnownFile("flags.arff", "d3ed8b5683f1b27e68069aad2c29388bb57d4caa5041b559e646cc3854a0cd1e", 11_281),
            KnownFile("flags.xml", "7c9ed21a91b716b91f811323e20ee5a260ea2da62a5edcfeb1b91ec855a48f17", 304),
        ),
        folder="flags",
    ),
    KnownSet(
        "birds",
        "birds",
        None,
        n_instances=645,
        n_labels=19,
        n_features=260,
        label_cardinality=1.014,
        files=(
            KnownFile("birds-train.arff", "8f215db6ee163149901e753977f631ba8bea0e0e8e1abc42b234414822f8ae36", 539_367),
            KnownFile("birds-test.arff", "51ba6326d65ccdd7c755b6461280eb6d2769c7f59d8e12fd4250f91e6ca28326", 540_883),
            KnownFile("birds.xml", "0f4ea547b2b3d538c8402662daf689e0d4520cc8b4f5ba113c2e7c01700f010f", 889),
        ),
        folder="birds",
    ),
    KnownSet(
        "cal500",
        "CAL500",
        None,
        n_instances=502,
        n_labels=174,
        n_features=68,
        label_cardinality=26.044,
        files=(
            KnownFile("cal500.arff", "cfe6097ba5fd6e8584e54911ab9783dcab34e898446b7c9370c71d477eae56d3", 492_857),
            KnownFile("cal500.xml", "877e128531268d7661faa3e44f7bb43cbcda829c0895e49879168775b192728c", 7_901),
        ),
        folder="cal500",
    ),
    KnownSet(
        "bibtex",
        "bibtex",
        None,
        n_instances=7_395,
        n_labels=159,
        n_features=1_836,
        label_cardinality=2.402,
        files=(
            KnownFile("bibtex.arff", "a282a6d1fb3cdaf39bde3f81cd4e6079850a7a538a6bc44f8b4ed95dfe1e5014", 3_457_832),
            KnownFile("bibtex.xml", "08fe20013c1e75dcf1888c185f5187c95e76495b8518ce289b4d3afce38d1232", 5_880),
        ),
        folder="bibtex",
    ),
)

KNOWN: Mapping[str, KnownSet] = MappingProxyType({known.key: known for known in _SETS})
"""The sets by their key; those of the paper first, in its order."""


def known_set(key: str) -> KnownSet:
    """Return what is known of a set.

    Parameters
    ----------
    key : str
        One of `KNOWN`.

    Returns
    -------
    KnownSet

    Raises
    ------
    DataError
        If there is no such key; the message lists them.

    Examples
    --------
    >>> known_set("emotions").paper_name, known_set("emotions").n_bytes
    ('Music', 380799)
    """
    if key not in KNOWN:
        raise DataError(f"{key}: no data set is known by this name; known are {', '.join(KNOWN)}.")
    return KNOWN[key]
