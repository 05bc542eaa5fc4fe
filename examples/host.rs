//! A Rust program that holds a fight in Lua: it makes a host, gives it a seed and a function of its own, runs a
//! script and reads the result.
//!
//!     cargo run --example host

use grognard::lua::Host;
use grognard::lua::voice::Answers;
use grognard::rules::core::Value;

const SCRIPT: &str = r#"
    -- `armor_of` is the program's own function; dice and rules are the host's.
    local blows, foe_hp = 0, 12
    while foe_hp > 0 do
      blows += 1
      local attack = rules.attack.roll{ ac = armor_of("goblin"), attack_bonus = 3 }
      if attack.hit then
        foe_hp -= rules.damage.roll{ damage = "1d8", kind = "melee", str_mod = 1 }.damage
      end
    end
    say(`the goblin falls after {blows} blows`)
    return { blows = blows, overkill = -foe_hp }
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = Host::builder().seed("the bridge at dusk").voice(Answers::new("", std::io::stdout())).build()?;
    host.register("armor_of", |arguments| match arguments.as_slice() {
        [Value::Text(name)] if name == "goblin" => Ok(Value::Whole(13)),
        [other] => Err(format!("no armor is known for {}", other.described())),
        _ => Err("armor_of takes one name".to_owned()),
    })?;
    let result = host.run_text("bridge", SCRIPT)?;
    println!("blows: {}", result.get("blows").unwrap_or(&Value::Nil));
    println!("all of it: {result}");
    Ok(())
}
