"""Contrastive groups: what is positive, provable and negative, and how groups are drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from value_toys import Steps, forest, write_run

from burnqed.files import UserError
from burnqed.records.trees import read_trees
from burnqed.value.contrastive import Groups, build_groups, failed_held_out, goal_keys, held_out
from burnqed.value.embeddings import texts_of_trajectories
from burnqed.value.encoder import text_sha
from burnqed.value.labels import labelled_states
from burnqed.value.sampler import GroupSampler


def build(folder: Path, searches: list[Steps], proofs: list[tuple[str, list[str]]]) -> Groups:
    trajectories, proved = write_run(folder, searches, proofs)
    return build_groups([trajectories], [proved], unexpanded_negatives=True, positives="path")


def named(groups: Groups, rows: np.ndarray, texts: list[str]) -> set[str]:
    by_sha = {text_sha(t): t for t in texts}
    return {by_sha[groups.shas[row]] for row in rows}


def one_theorem() -> Steps:
    """⊢ g -> ⊢ a -> ⊢ b -> proved; dead ends ⊢ x (sibling of a) and ⊢ y (sibling of b) with a child ⊢ z."""
    return (
        Steps("t", "⊢ g")
        .add("⊢ g", "to x", "⊢ x", 0)
        .add("⊢ g", "to a", "⊢ a", 0, path=True)
        .add("⊢ g", "wrong", None, 0, outcome="error")
        .add("⊢ a", "to y", "⊢ y", 1)
        .add("⊢ a", "to b", "⊢ b", 1, path=True)
        .add("⊢ y", "to z", "⊢ z", 2)
        .add("⊢ b", "close", None, 2, path=True)
    )


PROOF = ("t", ["to a", "to b", "close"])
TEXTS = [f"⊢ {c}" for c in "gabxyzw"]


def test_positives_siblings_and_off_path(tmp_path: Path) -> None:
    groups = build(tmp_path, [one_theorem()], [PROOF])
    assert named(groups, groups.positive, TEXTS) == {"⊢ a", "⊢ b"}
    assert named(groups, groups.off, TEXTS) == {"⊢ x", "⊢ y", "⊢ z"}
    for position, depth, sibling in ((0, 1, "⊢ x"), (1, 2, "⊢ y")):
        at = int(np.flatnonzero(groups.depth == depth)[0])
        start = groups.sibling_start[at]
        assert named(groups, groups.sibling[start : start + groups.sibling_count[at]], TEXTS) == {sibling}, position
    assert named(groups, groups.goal, TEXTS) == {"⊢ g"}
    near = groups.near_start[groups.depth == 1][0]
    count = groups.near_count[groups.depth == 1][0]
    assert named(groups, groups.off[near : near + count], TEXTS) == {"⊢ x", "⊢ y"}


def test_a_state_that_was_never_expanded_is_no_negative(tmp_path: Path) -> None:
    trajectories, proved = write_run(tmp_path, [one_theorem()], [PROOF])
    groups = build_groups([trajectories], [proved])
    assert named(groups, groups.off, TEXTS) == {"⊢ y"}  # at x and z nothing was tried
    assert groups.sibling_count[groups.depth == 2].tolist() == [1]
    assert groups.sibling_count[groups.depth == 1].tolist() == [0]


def test_a_state_from_which_a_proof_is_known_is_a_positive(tmp_path: Path) -> None:
    search = one_theorem().add("⊢ z", "back", "⊢ b", 3, outcome="duplicate")
    search.add("⊢ x", "wrong", None, 1, outcome="error")
    trajectories, proved = write_run(tmp_path, [search], [PROOF])
    groups = build_groups([trajectories], [proved])
    assert named(groups, groups.positive, TEXTS) == {"⊢ a", "⊢ b", "⊢ y", "⊢ z"}
    assert named(groups, groups.off, TEXTS) == {"⊢ x"}
    by_sha = {text_sha(t): t for t in TEXTS}
    left = {by_sha[groups.shas[row]]: int(n) for row, n in zip(groups.positive, groups.remaining, strict=True)}
    assert left == {"⊢ b": 1, "⊢ a": 2, "⊢ z": 2, "⊢ y": 3}
    labels = labelled_states(read_trees([trajectories]), {"t"})  # those of the laboratory
    assert {row.state: row.to_go for row in labels if row.to_go} == left


def failing() -> list[Steps]:
    """Two theorems without a proof: ⊢ m and ⊢ n were expanded, ⊢ o was not, ⊢ b is provable elsewhere."""
    first = Steps("u", "⊢ u").add("⊢ u", "to m", "⊢ m", 0).add("⊢ m", "to o", "⊢ o", 1).add("⊢ u", "to b", "⊢ b", 0)
    first.add("⊢ b", "wrong", None, 1, outcome="error")
    second = Steps("v", "⊢ v").add("⊢ v", "to n", "⊢ n", 0).add("⊢ n", "wrong", None, 1, outcome="error")
    return [first, second]


def test_trees_without_a_proof_give_negatives_under_their_own_goals(tmp_path: Path) -> None:
    texts = [*TEXTS, *(f"⊢ {c}" for c in "uvmno")]
    easy = [Steps(name, f"⊢ {name}").add(f"⊢ {name}", "close", None, 0, path=True) for name in ("i", "j", "k")]
    searches, proofs = [one_theorem(), *easy, *failing()], [PROOF, *((s.theorem, ["close"]) for s in easy)]
    trajectories, proved = write_run(tmp_path, searches, proofs)
    groups = build_groups([trajectories], [proved])
    assert groups.failed_theorems == ["u", "v"]
    assert named(groups, groups.failed, texts) == {"⊢ m", "⊢ n"}
    goals = [groups.failed_theorems[number] for number in groups.failed_theorem]
    assert [f"⊢ {name}" for name in goals] == [
        next(t for t in texts if text_sha(t) == groups.shas[row]) for row in groups.failed_goal
    ]
    assert groups.theorems == ["t"] and groups.counts["failed_negatives"] == 2
    both = failed_held_out(groups, 0.5, 0).tolist(), failed_held_out(groups, 1.0, 0).tolist()
    assert len(both[0]) == 2 and both[1] == [True, True]

    draw = GroupSampler(groups, np.arange(len(groups.positive)), 4, 0.5, "cpu", np.array([0, 1]), 0.5).draw(40, 1)
    assert draw.states.shape == draw.goals.shape == (40, 5)
    failed = set(zip(groups.failed.tolist(), groups.failed_goal.tolist(), strict=True))
    for states, under, at in zip(draw.states.tolist(), draw.goals.tolist(), draw.positions.tolist(), strict=True):
        assert set(under[:3]) == {int(groups.goal[at])}
        assert set(zip(states[3:], under[3:], strict=True)) <= failed
        assert not set(states[:3]) & set(groups.failed.tolist())
    plain = GroupSampler(groups, np.arange(len(groups.positive)), 4, 0.5, "cpu").draw(40, 1)
    assert plain.goals.shape == (40, 1) and torch.equal(plain.states[:, :3], draw.states[:, :3])


def test_few_failed_trees_beside_few_proved_theorems(tmp_path: Path) -> None:
    trajectories, proved = write_run(tmp_path, [one_theorem(), *failing()], [PROOF])
    assert len(build_groups([trajectories], [proved]).failed_theorems) == 1
    kept = {text.text for text in texts_of_trajectories([trajectories], "labelled")}
    assert len(kept & {"⊢ m", "⊢ n"}) == 1 and "⊢ a" in kept and "⊢ o" not in kept


def test_a_path_that_failed_its_re_check_gives_no_positive(tmp_path: Path) -> None:
    broken = Steps("t", "⊢ g", attempt=1).add("⊢ g", "cheat", "⊢ x", 0, path=True)
    broken.add("⊢ x", "sorry", None, 1, path=True, outcome="ok")
    groups = build(tmp_path, [one_theorem(), broken], [PROOF])
    assert named(groups, groups.positive, TEXTS) == {"⊢ a", "⊢ b"}
    assert "⊢ x" in named(groups, groups.off, TEXTS)
    assert groups.counts["unverified_paths"] == 1


def test_unproved_theorems_are_left_out(tmp_path: Path) -> None:
    other = Steps("other", "⊢ w").add("⊢ w", "to z", "⊢ z", 0)
    groups = build(tmp_path, [other, one_theorem()], [PROOF])
    assert groups.theorems == ["t"]


def test_a_closed_state_off_the_path_is_a_positive(tmp_path: Path) -> None:
    search = one_theorem().add("⊢ x", "also closes", None, 1)
    groups = build(tmp_path, [search], [PROOF])
    assert named(groups, groups.positive, TEXTS) == {"⊢ a", "⊢ b", "⊢ x"}
    assert named(groups, groups.off, TEXTS) == {"⊢ y", "⊢ z"}


def test_a_state_that_leads_back_to_the_path_is_no_negative(tmp_path: Path) -> None:
    search = one_theorem().add("⊢ z", "back", "⊢ b", 3, outcome="duplicate")
    groups = build(tmp_path, [search], [PROOF])
    # z leads to b, y leads to z: both are provable, neither was on the proof's path.
    assert named(groups, groups.off, TEXTS) == {"⊢ x"}
    assert named(groups, groups.positive, TEXTS) == {"⊢ a", "⊢ b"}


def test_dual_labelled_states_are_counted_and_never_negative(tmp_path: Path) -> None:
    second = (
        Steps("u", "⊢ w")
        .add("⊢ w", "to x", "⊢ x", 0, path=True)
        .add("⊢ w", "to b", "⊢ b", 0)
        .add("⊢ w", "to z", "⊢ z", 0)
        .add("⊢ x", "close", None, 1, path=True)
    )
    groups = build(tmp_path, [one_theorem(), second], [PROOF, ("u", ["to x", "close"])])
    # x is off the path in t and on it in u; b the other way round.
    assert groups.counts["dual_labelled"] == 2
    assert named(groups, groups.off, TEXTS) == {"⊢ y", "⊢ z"}


def test_equal_goals_are_no_negative(tmp_path: Path) -> None:
    root = "p q : Prop\n⊢ p → q → p ∧ q"
    after = "p q : Prop\nh : p\nk : q\n⊢ p ∧ q"
    renamed = "p q : Prop\na : p\nb : q\n⊢ p ∧ q"
    both = "case left\np q : Prop\nh : p\nk : q\n⊢ p\n\ncase right\np q : Prop\nh : p\nk : q\n⊢ q"
    part = "case right\nu v : Prop\nh : u\nk : v\n⊢ v"
    dead = "p q : Prop\nh : p\n⊢ q"
    search = (
        Steps("t", root)
        .add(root, "intro h k", after, 0, path=True)
        .add(root, "intro a b", renamed, 0)
        .add(root, "strange", part, 0)
        .add(root, "clear", dead, 0)
        .add(after, "constructor", both, 1, path=True)
        .add(both, "simp_all", None, 2, path=True)
    )
    groups = build(tmp_path, [search], [("t", ["intro h k", "constructor", "simp_all"])])
    assert named(groups, groups.off, [root, after, renamed, both, part, dead]) == {dead}


def test_goal_keys() -> None:
    assert goal_keys("a b : Nat\nh : a ≤ b\n⊢ a ≤ b + a") == goal_keys("case x\nm n : Nat\ni : m ≤ n\n⊢ m ≤ n + m")
    assert goal_keys("a b : Nat\n⊢ a ≤ b") != goal_keys("a b : Nat\n⊢ b ≤ a")
    # Names are whole words: h is not part of h', and a field of the same name stays.
    assert goal_keys("h : p\nh' : q\n⊢ h'.h = 1") == goal_keys("x : p\ny : q\n⊢ y.h = 1")
    # A shared metavariable ties goals together.
    assert goal_keys("⊢ p ?a\n\n⊢ q ?a") == {"⊢ p ?a\n\n⊢ q ?a"}
    assert len(goal_keys("⊢ p\n\n⊢ q")) == 2


def test_roots_only_when_there_is_nothing_else(tmp_path: Path) -> None:
    search = Steps("t", "⊢ g").add("⊢ g", "to x", "⊢ x", 0).add("⊢ g", "close", None, 0, path=True)
    groups = build(tmp_path, [search], [("t", ["close"])])
    assert groups.counts["roots_used"] is True
    assert named(groups, groups.positive, TEXTS) == {"⊢ g"}


def test_no_group_is_a_clear_error(tmp_path: Path) -> None:
    search = Steps("t", "⊢ g").add("⊢ g", "close", None, 0, path=True)
    with pytest.raises(UserError, match="no contrastive group"):
        build(tmp_path, [search], [("t", ["close"])])
    with pytest.raises(UserError, match="no contrastive group"):
        build(tmp_path, [one_theorem()], [])


def test_split_is_by_theorem_and_seed(tmp_path: Path) -> None:
    groups = build(tmp_path, *forest(60, depth=1))
    out = held_out(groups, 0.2, 0)
    assert 3 <= out.sum() <= 25
    np.testing.assert_array_equal(out, held_out(groups, 0.2, 0))
    assert (out != held_out(groups, 0.2, 1)).any()


def sampler(groups: Groups, negatives: int = 7, hard_share: float = 0.6) -> GroupSampler:
    return GroupSampler(groups, np.arange(len(groups.positive)), negatives, hard_share, "cpu")


def test_groups_are_of_one_theorem_and_valid(tmp_path: Path) -> None:
    groups = build(tmp_path, *forest(12, depth=4, children=5))
    batch = sampler(groups).draw(500, 3)
    positives = set(groups.positive.tolist())
    own = {}
    for at, (start, count) in enumerate(zip(groups.off_start, groups.off_count, strict=True)):
        own[at] = set(groups.off[start : start + count].tolist())
    siblings = 0
    for states, valid, at, hard in zip(batch.states, batch.valid, batch.positions, batch.hard, strict=True):
        assert int(states[0]) == groups.positive[at]
        kept = states[1:][valid[1:]].tolist()
        assert len(set(kept)) == len(kept) >= 4
        assert set(kept) <= own[int(at)]
        assert not set(kept) & positives
        start, count = groups.sibling_start[at], groups.sibling_count[at]
        assert set(states[1:][hard].tolist()) <= set(groups.sibling[start : start + count].tolist())
        siblings += int(hard.sum())
    assert siblings == 500 * 4  # round(0.6 * 7), each positive has 4 siblings


def test_drawing_is_deterministic_and_depth_balanced(tmp_path: Path) -> None:
    searches, proofs = forest(8, depth=1, children=3)
    deep, deep_proofs = forest(9, depth=6, children=3)
    groups = build(tmp_path, [*searches, deep[8]], [*proofs, deep_proofs[8]])
    draws = sampler(groups)
    one, two = draws.draw(4000, 5), draws.draw(4000, 5)
    assert torch.equal(one.states, two.states)
    assert torch.equal(one.valid, two.valid)
    assert not torch.equal(one.states, draws.draw(4000, 6).states)
    # 9 positives of depth 1, one each of depths 2-6: weights 9/sqrt(9) = 3 against 1 each.
    depths = np.bincount(groups.depth[one.positions.numpy()], minlength=7) / 4000
    np.testing.assert_allclose(depths[1:], np.array([3, 1, 1, 1, 1, 1]) / 8, atol=0.03)
