"""Whether more of a measure is better, guessed from what it is called."""

from __future__ import annotations

import re

_LOWER = frozenset(
    """
    loss error err time seconds secs sec ms minutes hours memory mib gib mb gb rank ranks coverage cost risk
    distance divergence perplexity mae mse rmse nll ece brier deviance violations fpr fnr lower
    """.split()  # noqa: SIM905, in one look
)
_HIGHER = frozenset(
    """
    accuracy acc f f1 precision recall auc auroc auprc roc match jaccard kappa mcc specificity sensitivity ndcg map
    likelihood r2 correct higher
    """.split()  # noqa: SIM905, in one look
)
_LOWER_ENDINGS = ("loss", "error", "time", "seconds")


def likely_higher_is_better(text: str) -> bool | None:
    """Guess from a measure's name, or a file's, whether higher values are better.

    Parameters
    ----------
    text : str
        Such as ``"hamming_loss"``, ``"Train time (s)"``, ``"Accuracy"`` or a sentence about the measure.

    Returns
    -------
    bool or None
        False for losses, errors, times, memory, ranks and coverage; True for known scores, and for anything else that
        is called a score; None where the name has no direction, or both.

    Notes
    -----
    A name that starts with "neg" or "negative" means the opposite of the rest.

    Examples
    --------
    >>> likely_higher_is_better("B34_hamming_loss.csv"), likely_higher_is_better("Hamming score")
    (False, True)
    >>> likely_higher_is_better("neg_mean_squared_error"), likely_higher_is_better("results")
    (True, None)
    """
    if ("↑" in text) != ("↓" in text):
        return "↑" in text
    words = re.findall(r"[a-z]+[0-9]*", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())
    lower = any(word in _LOWER or word.endswith(_LOWER_ENDINGS) for word in words)
    higher = any(word in _HIGHER for word in words)
    if lower and higher:
        return None
    if not (lower or higher):
        return True if "score" in words or "scores" in words else None
    return higher != (words[0] in ("neg", "negative"))
