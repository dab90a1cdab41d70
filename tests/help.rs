//! Every help text, as a reader sees it: a change to one is a change that shows.

use clap::CommandFactory;
use tmux_status::cli::Cli;

#[test]
fn the_help_texts_are_those_of_the_snapshot() {
    let mut root = Cli::command().term_width(100);
    root.build();
    let mut text = root.render_long_help().to_string();
    for command in root.get_subcommands_mut().filter(|command| !command.is_hide_set()) {
        let help = command.render_long_help();
        text += &format!("\n\n=== {}\n{help}", command.get_name());
    }
    insta::assert_snapshot!(text);
}
