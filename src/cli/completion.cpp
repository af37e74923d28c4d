// `pawl completion`: scripts that complete the command in a shell. A test compares them with --help.
#include "cli/commands.h"
#include "cli/console.h"

namespace pawl::cli {

namespace {

constexpr std::string_view kBash = R"bash(# pawl completion bash: source it, or put it in /etc/bash_completion.d/pawl
_pawl() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "run lint lint-durable graph eval test serve dev backup doctor deploy start list show history stop redrive enable disable undeploy schedule activity token invoke callback completion version help --help --version" -- "$current"))
    return
  fi
  case $previous in
    --format)
      local formats="text json sarif"
      [[ $command == graph ]] && formats="mermaid dot svg"
      COMPREPLY=($(compgen -W "$formats" -- "$current")); return ;;
    --dialect) COMPREPLY=($(compgen -W "asl jayway serverless rfc9535" -- "$current")); return ;;
    --status) COMPREPLY=($(compgen -W "RUNNING SUCCEEDED FAILED TIMED_OUT ABORTED STOPPED" -- "$current")); return ;;
    --set) COMPREPLY=($(compgen -W "errors=aws errors=spec task_timeout= type=standard type=express state_filter=keyed" -- "$current")); return ;;
  esac
  local options=""
  case $command in
    run) options="--input --mocks --test-case --tasks --events --definitions --set --virtual-time --now --context --max-events --max-payload --history --emitted --json --help" ;;
    lint) options="--format --json --strict --set --help" ;;
    lint-durable) options="--build --flag --format --json --help" ;;
    graph) options="--format --json --help" ;;
    eval)
      if [[ $COMP_CWORD -eq 2 ]]; then
        COMPREPLY=($(compgen -W "jsonpath intrinsic jq --help" -- "$current")); return
      fi
      options="--input --dialect --context --arg --max-payload --json --help" ;;
    version) options="--json --help" ;;
    serve|dev) options="--config --data --listen --tasks --allow-exec --mocks --function --plain-function --virtual-time --credentials --shards --region --account --log-level --log-format --json --help" ;;
    backup) options="--data --to --json --help" ;;
    doctor) options="--data --json --help" ;;
    deploy) options="--name --role --set --endpoint --ca --json --help" ;;
    start) options="--input --name --wait --endpoint --ca --json --help" ;;
    list) options="--definition --status --endpoint --ca --json --help" ;;
    show) options="--endpoint --ca --json --help" ;;
    history) options="--reverse --follow --facts --endpoint --ca --json --help" ;;
    stop) options="--error --cause --endpoint --ca --json --help" ;;
    redrive|enable|disable|undeploy) options="--endpoint --ca --json --help" ;;
    schedule)
      if [[ $COMP_CWORD -eq 2 ]]; then
        COMPREPLY=($(compgen -W "list pause resume next --help" -- "$current")); return
      fi
      options="--count --endpoint --ca --json --help" ;;
    invoke) options="--payload --name --qualifier --async --endpoint --ca --json --help" ;;
    callback)
      if [[ $COMP_CWORD -eq 2 ]]; then
        COMPREPLY=($(compgen -W "succeed fail heartbeat --help" -- "$current")); return
      fi
      options="--endpoint --ca --json --help"
      case ${COMP_WORDS[2]} in
        succeed) options="--result $options" ;;
        fail) options="--error --cause --data $options" ;;
      esac ;;
    activity|token)
      if [[ $COMP_CWORD -eq 2 ]]; then
        local actions="succeed fail heartbeat --help"
        [[ $command == activity ]] && actions="create list delete poll $actions"
        COMPREPLY=($(compgen -W "$actions" -- "$current")); return
      fi
      options="--endpoint --ca --json --help"
      case ${COMP_WORDS[2]} in
        poll) options="--worker --exec --heartbeat --once $options" ;;
        succeed) options="--output $options" ;;
        fail) options="--error --cause $options" ;;
      esac ;;
    test) options="--junit --filter --prove-rebuild --json --help" ;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish --help" -- "$current")); return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _pawl pawl
)bash";

constexpr std::string_view kZsh = R"zsh(#compdef pawl
# pawl completion zsh: put it in a folder of $fpath, as _pawl
_pawl() {
  local -a commands=(
    'run:run a definition to its end and print its output'
    'lint:find what is wrong with definitions'
    'lint-durable:find what is not deterministic in C++ durable functions'
    'graph:draw a definition'
    'eval:evaluate one expression on an input'
    'test:run cases'
    'serve:run executions durably and answer the AWS SDKs'
    'dev:serve, and deploy the definitions of a folder as they change'
    'backup:copy a data directory'
    'doctor:check a data directory'
    'deploy:create or update a state machine'
    'start:start an execution'
    'list:list state machines, or the executions of one'
    'show:describe an execution'
    'history:print the events of an execution'
    'stop:end an execution'
    'redrive:let an execution that failed go on'
    'enable:let a state machine take new executions again'
    'disable:let a state machine take no new executions'
    'undeploy:delete a state machine'
    'schedule:when a server starts definitions by itself'
    'activity:activities, and workers that take their tasks'
    'token:answer a task by its token'
    'invoke:call a function'
    'callback:answer a durable execution that waits'
    'completion:print a script that completes this command in a shell'
    'version:print the version'
    'help:print the help'
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case $words[2] in
    run) _arguments '2:definition:_files' '--input[JSON, @file or -]:input:_files' '--mocks[mock file]:file:_files' \
      '--test-case[case of the mock file]:name:' '--tasks[map of Resources]:file:_files' '--events[events that arrive]:file:_files' '--definitions[of sub-workflows]:directory:_files -/' '*--set[option]:option:(errors=aws errors=spec task_timeout= type=standard type=express state_filter=keyed)' \
      '--virtual-time[waits take no time]' '--now[start of the virtual clock]:timestamp:' '--context[Context Object]:json:' \
      '--max-events[limit]:number:' '--max-payload[limit]:bytes:' '--history[print each event]' '--emitted[print produced events]' '--json[result with status]' '--help' ;;
    lint-durable) _arguments '*:source:_files' '--build[folder of compile_commands.json]:folder:_files -/' '*--flag[of the compiler]:flag:' '--format[form]:format:(text json sarif)' '--json' '--help' ;;
    lint) _arguments '*:definition:_files' '--format[form]:format:(text json sarif)' '--json' '--strict' '*--set[option]:option:' '--help' ;;
    graph) _arguments '2:definition:_files' '--format[form]:format:(mermaid dot svg)' '--json' '--help' ;;
    eval)
      if (( CURRENT == 3 )); then
        compadd jsonpath intrinsic jq
      else
        _arguments '*:expression:' '--input[JSON, @file or -]:input:_files' '--dialect[dialect]:dialect:(asl jayway serverless rfc9535)' \
          '--context[Context Object]:json:' '*--arg[variable of jq]:name and JSON:' '--max-payload[limit]:bytes:' '--json' '--help'
      fi ;;
    test) _arguments '*:cases:_files' '--junit[report]:file:_files' '--filter[part of a name]:text:' '--prove-rebuild' '--json' '--help' ;;
    version) _arguments '--json' '--help' ;;
    serve|dev) _arguments '--config[configuration]:file:_files' '--data[data directory]:directory:_files -/' '--listen[address and port]:address:' '--tasks[map of Resources]:file:_files' \
      '--allow-exec[let tasks run commands]' '--mocks[test cases]:file:_files' '*--function[durable function]:NAME=COMMAND:' '*--plain-function[function]:NAME=COMMAND:' '--virtual-time[waits take no time]' '--credentials[access keys]:file:_files' '--shards[threads]:number:' '--region[in ARNs]:region:' '--account[in ARNs]:account:' \
      '--log-level[least level]:level:(debug info warning error off)' '--log-format[form]:form:(auto text json)' '--json' '--help' ;;
    backup) _arguments '--data[data directory]:directory:_files -/' '--to[folder for the copy]:directory:_files -/' '--json' '--help' ;;
    doctor) _arguments '--data[data directory]:directory:_files -/' '--json' '--help' ;;
    deploy) _arguments '2:definition:_files' '--name[of the state machine]:name:' '--role[roleArn]:arn:' '*--set[an option]:key=value:' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    start) _arguments '2:machine:' '--input[JSON, @file or -]:input:_files' '--name[of the execution]:name:' '--wait[for its end]' \
      '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    list) _arguments '2:machine:' '--definition[executions of this one]:machine:' '--status[only these]:status:(RUNNING SUCCEEDED FAILED TIMED_OUT ABORTED STOPPED)' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    show) _arguments '2:execution:' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    history) _arguments '2:execution:' '--reverse[newest first]' '--follow[until it ends]' '--facts[of the kernel]' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    stop) _arguments '2:execution:' '--error[name of the error]:text:' '--cause[why]:text:' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    redrive) _arguments '2:execution:' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    enable|disable|undeploy) _arguments '2:machine:' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    schedule)
      if (( CURRENT == 3 )); then
        compadd list pause resume next
        return
      fi
      _arguments '3:definition:' '--count[how many]:number:' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    activity|token)
      if (( CURRENT == 3 )); then
        compadd succeed fail heartbeat
        [[ $words[2] == activity ]] && compadd create list delete poll
        return
      fi
      _arguments '3:name or token:' '--worker[name of the worker]:text:' '--exec[command of the worker]:command:' \
        '--heartbeat[while it runs]:seconds:' '--once[one task]' '--output[JSON, @file or -]:output:_files' \
        '--error[name of the error]:text:' '--cause[why]:text:' '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    invoke) _arguments '2:function:' '--payload[JSON, @file or -]:payload:_files' '--name[of the execution]:name:' '--qualifier[version]:version:' '--async[do not wait]' \
      '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    callback)
      if (( CURRENT == 3 )); then
        compadd succeed fail heartbeat
        return
      fi
      _arguments '3:id:' '--result[JSON, @file or -]:result:_files' '--error[type of the error]:text:' '--cause[why]:text:' '--data[for a program]:text:' \
        '--endpoint[server]:url:' '--ca[certificates]:file:_files' '--json' '--help' ;;
    completion) compadd bash zsh fish ;;
  esac
}
_pawl "$@"
)zsh";

constexpr std::string_view kFish = R"fish(# pawl completion fish: put it in ~/.config/fish/completions/pawl.fish
complete -c pawl -n __fish_use_subcommand -f -a "run lint lint-durable graph eval test serve dev backup doctor deploy start list show history stop redrive enable disable undeploy schedule activity token invoke callback completion version help"
complete -c pawl -n "__fish_seen_subcommand_from run start" -l input -r -d "JSON, @file or -"
complete -c pawl -n "__fish_seen_subcommand_from run" -l mocks -r -d "mock file"
complete -c pawl -n "__fish_seen_subcommand_from run" -l test-case -x -d "case of the mock file"
complete -c pawl -n "__fish_seen_subcommand_from run serve dev" -l tasks -r -d "map of Resources"
complete -c pawl -n "__fish_seen_subcommand_from run lint deploy" -l set -x -a "errors=aws errors=spec task_timeout= type=standard type=express state_filter=keyed"
complete -c pawl -n "__fish_seen_subcommand_from run" -l events -r -d "events that arrive"
complete -c pawl -n "__fish_seen_subcommand_from run" -l definitions -r -d "of sub-workflows"
complete -c pawl -n "__fish_seen_subcommand_from run" -l emitted -d "print produced events"
complete -c pawl -n "__fish_seen_subcommand_from run" -l virtual-time -d "waits take no time"
complete -c pawl -n "__fish_seen_subcommand_from run" -l now -x -d "start of the virtual clock"
complete -c pawl -n "__fish_seen_subcommand_from run intrinsic" -l context -x -d "Context Object"
complete -c pawl -n "__fish_seen_subcommand_from run" -l max-events -x
complete -c pawl -n "__fish_seen_subcommand_from run jsonpath intrinsic jq" -l max-payload -x
complete -c pawl -n "__fish_seen_subcommand_from run" -l history -d "print each event"
complete -c pawl -n "__fish_seen_subcommand_from run lint lint-durable graph test jsonpath intrinsic jq version serve dev backup doctor deploy start list show history stop redrive enable disable undeploy" -l json
complete -c pawl -n "__fish_seen_subcommand_from lint lint-durable" -l format -x -a "text json sarif"
complete -c pawl -n "__fish_seen_subcommand_from lint" -l strict -d "warnings count"
complete -c pawl -n "__fish_seen_subcommand_from lint-durable" -l build -r -d "folder of compile_commands.json"
complete -c pawl -n "__fish_seen_subcommand_from lint-durable" -l flag -x -d "of the compiler"
complete -c pawl -n "__fish_seen_subcommand_from graph" -l format -x -a "mermaid dot svg"
complete -c pawl -n "__fish_seen_subcommand_from eval" -f -a "jsonpath intrinsic jq"
complete -c pawl -n "__fish_seen_subcommand_from jsonpath intrinsic jq" -l input -r -d "JSON, @file or -"
complete -c pawl -n "__fish_seen_subcommand_from jq" -l arg -x -d "a variable"
complete -c pawl -n "__fish_seen_subcommand_from jsonpath" -l dialect -x -a "asl jayway serverless rfc9535"
complete -c pawl -n "__fish_seen_subcommand_from test" -l junit -r
complete -c pawl -n "__fish_seen_subcommand_from test" -l filter -x
complete -c pawl -n "__fish_seen_subcommand_from test" -l prove-rebuild
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l config -r -d "configuration"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l log-level -x -a "debug info warning error off"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l log-format -x -a "auto text json"
complete -c pawl -n "__fish_seen_subcommand_from serve dev backup doctor" -l data -r -d "data directory"
complete -c pawl -n "__fish_seen_subcommand_from backup" -l to -r -d "folder for the copy"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l listen -x -d "address and port"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l allow-exec -d "let tasks run commands"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l mocks -r -d "test cases"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l function -r -d "durable function"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l plain-function -r -d "function"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l virtual-time -d "waits take no time"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l credentials -r -d "access keys"
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l shards -x
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l region -x
complete -c pawl -n "__fish_seen_subcommand_from serve dev" -l account -x
complete -c pawl -n "__fish_seen_subcommand_from deploy start list show history stop redrive enable disable undeploy" -l endpoint -x -d "server"
complete -c pawl -n "__fish_seen_subcommand_from deploy start list show history stop redrive enable disable undeploy" -l ca -r -d "certificates"
complete -c pawl -n "__fish_seen_subcommand_from deploy start" -l name -x
complete -c pawl -n "__fish_seen_subcommand_from deploy" -l role -x
complete -c pawl -n "__fish_seen_subcommand_from start" -l wait -d "for its end"
complete -c pawl -n "__fish_seen_subcommand_from list" -l status -x -a "RUNNING SUCCEEDED FAILED TIMED_OUT ABORTED STOPPED"
complete -c pawl -n "__fish_seen_subcommand_from history" -l reverse -d "newest first"
complete -c pawl -n "__fish_seen_subcommand_from history" -l follow -d "until it ends"
complete -c pawl -n "__fish_seen_subcommand_from history" -l facts -d "of the kernel"
complete -c pawl -n "__fish_seen_subcommand_from list" -l definition -x
complete -c pawl -n "__fish_seen_subcommand_from stop" -l error -x
complete -c pawl -n "__fish_seen_subcommand_from stop" -l cause -x
complete -c pawl -n "__fish_seen_subcommand_from schedule" -f -a "list pause resume next"
complete -c pawl -n "__fish_seen_subcommand_from schedule" -l count -x -d "how many"
complete -c pawl -n "__fish_seen_subcommand_from schedule" -l endpoint -x -d "server"
complete -c pawl -n "__fish_seen_subcommand_from schedule" -l ca -r -d "certificates"
complete -c pawl -n "__fish_seen_subcommand_from schedule" -l json
complete -c pawl -n "__fish_seen_subcommand_from activity" -f -a "create list delete poll succeed fail heartbeat"
complete -c pawl -n "__fish_seen_subcommand_from token" -f -a "succeed fail heartbeat"
complete -c pawl -n "__fish_seen_subcommand_from activity token" -l endpoint -x -d "server"
complete -c pawl -n "__fish_seen_subcommand_from activity token" -l ca -r -d "certificates"
complete -c pawl -n "__fish_seen_subcommand_from activity token" -l json
complete -c pawl -n "__fish_seen_subcommand_from poll" -l worker -x -d "name of the worker"
complete -c pawl -n "__fish_seen_subcommand_from poll" -l exec -x -d "command of the worker"
complete -c pawl -n "__fish_seen_subcommand_from poll" -l heartbeat -x -d "seconds, while it runs"
complete -c pawl -n "__fish_seen_subcommand_from poll" -l once -d "one task"
complete -c pawl -n "__fish_seen_subcommand_from succeed" -l output -r -d "JSON, @file or -"
complete -c pawl -n "__fish_seen_subcommand_from fail" -l error -x
complete -c pawl -n "__fish_seen_subcommand_from fail" -l cause -x
complete -c pawl -n "__fish_seen_subcommand_from invoke" -l payload -r -d "JSON, @file or -"
complete -c pawl -n "__fish_seen_subcommand_from invoke" -l name -x -d "of the execution"
complete -c pawl -n "__fish_seen_subcommand_from invoke" -l qualifier -x -d "version"
complete -c pawl -n "__fish_seen_subcommand_from invoke" -l async -d "do not wait"
complete -c pawl -n "__fish_seen_subcommand_from callback" -f -a "succeed fail heartbeat"
complete -c pawl -n "__fish_seen_subcommand_from callback" -l result -r -d "JSON, @file or -"
complete -c pawl -n "__fish_seen_subcommand_from callback" -l data -x -d "for a program"
complete -c pawl -n "__fish_seen_subcommand_from invoke callback" -l endpoint -x -d "server"
complete -c pawl -n "__fish_seen_subcommand_from invoke callback" -l ca -r -d "certificates"
complete -c pawl -n "__fish_seen_subcommand_from invoke callback" -l json
complete -c pawl -n "__fish_seen_subcommand_from completion" -f -a "bash zsh fish"
complete -c pawl -l help
)fish";

}  // namespace

int completion(const std::string& shell) {
  print(shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish);
  return finish_output(kExitOk);
}

}  // namespace pawl::cli
