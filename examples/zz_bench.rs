//! temporary
use knave::games::Tally;
use knave::games::columns::*;
use knave_agents::rng::stream;
use knave_agents::*;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let tally = std::env::args().nth(2).is_some();
    let rules = Rules::default();
    let mut t = ColumnsTally::new(&rules);
    let mut buffer = Vec::new();
    let (mut moves, mut wins) = (0_u64, 0_u64);
    for i in 0..n {
        let mut p = Columns::deal(&rules, &mut stream(1, i, Role::Deal));
        let mut c = stream(1, i, Role::Chance);
        let mut a = [stream(1, i, Role::Agent(0)), stream(1, i, Role::Agent(1))];
        loop {
            match p.turn() {
                Turn::Over => break,
                Turn::Player(s) => {
                    let m = p.random_move(&mut buffer, &mut a[s]);
                    if tally {
                        t.event(&p, &Event::Move(s, m));
                    }
                    p.play(m);
                    moves += 1;
                }
                _ => {
                    p.roll(&mut c);
                }
            }
        }
        if tally {
            t.finish(&p);
        }
        wins += p.utility(0) as u64;
    }
    println!("{moves} {wins} {}", t.rows(0).len());
}
