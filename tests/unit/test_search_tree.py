"""State graph and frontier."""

from __future__ import annotations

import random

import pytest

from burnqed.search.frontier import Frontier, Priority, Ranking
from burnqed.search.tree import Node, StateGraph, canonical, path_to


def test_canonical_numbers_metavariables_by_appearance() -> None:
    assert canonical("case a\n⊢ ?m.731 < ?u.9 ∧ ?m.12 = ?m.731  \n") == "case a\n⊢ ?m.1 < ?u.2 ∧ ?m.3 = ?m.1"
    assert canonical("⊢ ?n + ?m.5.2 = 1") == "⊢ ?n + ?m.1 = 1"
    assert canonical("h : p\n⊢ q") != canonical("h : p\n⊢ r")


def test_graph_merges_equal_states_and_keeps_the_first_edge() -> None:
    graph = StateGraph("⊢ 3", 0)
    a = graph.add(graph.root, "sub 1", -1.0, "⊢ 2", 1, 0)
    b = graph.add(a, "sub 1", -5.0, "⊢ 1", 2, 1)
    assert graph.get("⊢ 1") is b
    with pytest.raises(ValueError, match="already"):
        graph.add(graph.root, "sub 2", -2.0, "⊢ 1", 3, 2)
    assert graph.reach_again(b, -2.0, 1)
    assert b.cumulative_logprob == -2.0
    assert not graph.reach_again(b, -3.0, 1)
    assert [node.text for node in path_to(b)] == ["⊢ 3", "⊢ 2", "⊢ 1"]
    assert (len(graph), graph.depth, b.depth) == (3, 2, 2)
    b.expanded = True
    assert not graph.reach_again(b, 0.0, 1)
    assert b.cumulative_logprob == -2.0


def test_a_path_is_ranked_by_its_own_length() -> None:
    """A shorter path of higher sum can still rank lower: -4 over four steps beats -3.9 in one."""
    graph = StateGraph("⊢ 9", 0, length_alpha=0.5)
    last = graph.root
    for number in range(4):
        last = graph.add(last, "sub 1", -1.0 * (number + 1), f"⊢ {8 - number}", number + 1, number)
    assert not graph.reach_again(last, -3.9, 1)
    assert graph.reach_again(last, -1.5, 1)
    assert Ranking("logprob").logprob(last) == -1.5


def node(order: int, logprob: float, energy: float, depth: int = 1) -> Node:
    return Node(f"⊢ {order}", order, depth, logprob, order, energy=energy)


@pytest.mark.parametrize(
    ("ranking", "order"),
    [
        (Ranking("logprob", length_alpha=0.0), [1, 3, 2, 4]),
        (Ranking("logprob", length_alpha=1.0), [3, 1, 4, 2]),
        (Ranking("energy"), [4, 2, 3, 1]),
        (Ranking("weighted", length_alpha=0.0, logprob_weight=1.0, energy_weight=0.1), [1, 3, 2, 4]),
        (Ranking("weighted", length_alpha=0.0, logprob_weight=0.1, energy_weight=1.0), [4, 2, 3, 1]),
        (Ranking("hybrid", length_alpha=0.0), [1, 4, 3, 2]),
    ],
)
def test_orders(ranking: Ranking, order: list[int]) -> None:
    nodes = [node(1, -1.0, 5.0), node(2, -3.0, 1.0), node(3, -2.0, 2.0, depth=4), node(4, -8.0, -1.0, depth=4)]
    frontier = Frontier(ranking)
    for item in nodes:
        frontier.push(item)
    assert [item.order for item in frontier.pop(9)] == order
    assert frontier.pop(1) == []


@pytest.mark.parametrize("priority", ["logprob", "energy", "weighted", "hybrid"])
def test_equal_priorities_are_served_in_order_of_discovery(priority: Priority) -> None:
    frontier = Frontier(Ranking(priority))
    nodes = [node(order, -1.0, 1.0) for order in range(1, 9)]
    for item in random.Random(0).sample(nodes, len(nodes)):
        frontier.push(item)
    assert [item.order for item in frontier.pop(8)] == list(range(1, 9))


@pytest.mark.parametrize("priority", ["logprob", "energy", "weighted", "hybrid"])
def test_popping_in_parts_is_popping_at_once(priority: Priority) -> None:
    for seed in range(20):
        orders = []
        for parts in ([30], [1] * 30, [4, 3, 7, 1, 15]):
            chance = random.Random(seed)
            frontier = Frontier(Ranking(priority))
            for order in range(1, 31):
                frontier.push(node(order, -chance.randrange(6), chance.randrange(6), 1 + chance.randrange(4)))
            orders.append([item.order for part in parts for item in frontier.pop(part)])
        assert orders[0] == orders[1] == orders[2]
        assert sorted(orders[0]) == list(range(1, 31))


def test_a_node_pushed_again_after_its_priority_rose_is_popped_once_and_earlier() -> None:
    frontier = Frontier(Ranking("hybrid", length_alpha=0.0))
    first, second, third = node(1, -1.0, 3.0), node(2, -2.0, 2.0), node(3, -9.0, 1.0)
    for item in (first, second, third):
        frontier.push(item)
    second.cumulative_logprob = -0.5
    frontier.push(second)
    assert frontier.pop(9) == [second, third, first]


def test_energy_order_refuses_a_state_without_energy() -> None:
    bare = Node("⊢ 1", 1, 1, -1.0, 1)
    with pytest.raises(ValueError, match="energy"):
        Frontier(Ranking("energy")).push(bare)


@pytest.mark.parametrize("priority", ["logprob", "hybrid"])
def test_what_was_popped_before_waits_behind_all_others(priority: Priority) -> None:
    frontier = Frontier(Ranking(priority, length_alpha=0.0))
    root, best, worst = node(0, 0.0, 0.0, depth=0), node(1, -1.0, 1.0), node(2, -9.0, 9.0)
    frontier.push(root)
    assert frontier.pop(2) == [root]
    for item in (root, best, worst):
        frontier.push(item)
    assert frontier.pop(9) == [best, worst]  # one round at a time
    frontier.push(best)
    assert frontier.pop(9) == [root, best]
    assert frontier.pop(9) == []
