//! Cycles of who beats whom.

use std::collections::BTreeSet;

/// The shortest cycles through each agent, shorter ones first, each once and from its smallest index on. `beaten` lists whom
/// each agent beats.
pub(super) fn shortest_cycles(beaten: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut cycles = BTreeSet::new();
    for start in 0..beaten.len() {
        // All paths from here without a repetition, one step longer each time, until some lead back.
        let mut paths = vec![vec![start]];
        let mut reached = BTreeSet::from([start]);
        while !paths.is_empty() {
            let step = |path: &Vec<usize>| {
                let path = path.clone();
                beaten[path[path.len() - 1]]
                    .clone()
                    .into_iter()
                    .map(move |next| [&path[..], &[next]].concat())
            };
            let longer: Vec<Vec<usize>> = paths.iter().flat_map(step).collect();
            let (closed, open): (Vec<_>, Vec<_>) =
                longer.into_iter().partition(|path| path.ends_with(&[start]));
            if !closed.is_empty() {
                for mut cycle in closed {
                    cycle.pop();
                    let first = (0..cycle.len()).min_by_key(|&i| cycle[i]).unwrap_or_default();
                    cycle.rotate_left(first);
                    cycles.insert((cycle.len(), cycle));
                }
                break;
            }
            // A shortest cycle meets each of its agents by a shortest path.
            paths = open.into_iter().filter(|path| !reached.contains(&path[path.len() - 1])).collect();
            reached.extend(paths.iter().map(|path| path[path.len() - 1]));
        }
    }
    cycles.into_iter().map(|(_, cycle)| cycle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All shortest cycles through each agent, and no longer one: two triangles that share an agent, and a cycle of four through
    /// one of them.
    #[test]
    fn cycles_are_the_shortest() {
        let beaten = [vec![1, 3, 5], vec![2], vec![0], vec![4], vec![0], vec![6], vec![1], vec![0]];
        assert_eq!(shortest_cycles(&beaten), [vec![0, 1, 2], vec![0, 3, 4], vec![0, 5, 6, 1, 2]]);
        assert!(shortest_cycles(&[vec![1], vec![2], vec![]]).is_empty());
        // Whom everybody reaches but who reaches nobody is in none, and the search ends.
        assert_eq!(shortest_cycles(&[vec![1], vec![2, 3], vec![0], vec![]]), [vec![0, 1, 2]]);
    }
}
