//! dev A.toml B.toml players games seed: seat rotations, A in one seat, B in the others
use knave::games::doubles::heuristic::Rule;
use knave::games::doubles::{Doubles, Rules};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Policy as _, Role, Turn};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let r: Vec<Rule> =
        a[1..3].iter().map(|p| Rule::read(&std::fs::read_to_string(p).unwrap()).unwrap()).collect();
    let players: u8 = a[3].parse().unwrap();
    let games: u64 = a[4].parse().unwrap();
    let seed: u64 = a[5].parse().unwrap();
    let rules = Rules { players, ..Rules::default() };
    let (mut sum, mut sq, mut rolls) = (0.0, 0.0, 0u64);
    let mut buf = Vec::new();
    for i in 0..games {
        let mut tot = 0.0;
        for hero in 0..players as usize {
            let mut p = Doubles::deal(&rules, &mut stream(seed, i, Role::Deal));
            let mut rng = stream(seed, i, Role::Chance);
            loop {
                match p.turn() {
                    Turn::Over => break,
                    Turn::Player(s) => {
                        let m = r[usize::from(s != hero)].choose(&p, &mut buf, &mut rng);
                        p.play(m)
                    }
                    _ => {
                        p.roll(&mut rng);
                    }
                }
            }
            rolls += p.table().rolls as u64;
            tot += p.utility(hero);
        }
        let u = tot / players as f64;
        sum += u;
        sq += u * u;
    }
    let n = games as f64;
    let m = sum / n;
    println!(
        "{players} players: share of A {:.4} ± {:.4} (fair {:.3}), rolls {:.1}",
        m,
        1.96 * ((sq / n - m * m) / n).sqrt(),
        1.0 / players as f64,
        rolls as f64 / n / players as f64
    );
}
