"""Best-first proof search: state graph, frontier, engine, scheduler, and the record of every step."""
