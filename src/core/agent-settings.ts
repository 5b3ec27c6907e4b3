/** Variables of the environment for who executes runs: the agent of a server, and agents apart from it. */
import { oneOf, optional, paths, pem, publicUrl, secret, setting, text, userAndGroup, wholeNumber } from './setting.ts';

export const agentSettings = {
  builtinAgent: setting(
    'TERRANE_BUILTIN_AGENT',
    oneOf('auto', 'on', 'off'),
    'auto',
    '`on` or `off`: whether the server starts an agent of its own; `auto` starts one with the embedded PostgreSQL and a loopback `HOST`, where it finds an engine',
  ),
  builtinAgentUser: optional(
    'TERRANE_BUILTIN_AGENT_USER',
    userAndGroup,
    "the server's",
    '`uid:gid` under which that agent and its engines run; only root can switch',
  ),
  agentToken: secret('TERRANE_AGENT_TOKEN', text, 'none', 'for `terrane agent`: a token of its pool'),
  agentDirectory: optional(
    'TERRANE_AGENT_DIR',
    text,
    '`terrane-agent-<uid>` in the temporary directory',
    'where an agent works; it must belong to its user and be closed to all others',
  ),
  agentHooksDirectory: optional(
    'TERRANE_AGENT_HOOKS_DIR',
    text,
    'none',
    'executables `terraform-pre-plan`, `-post-plan`, `-pre-apply` and `-post-apply` that an agent runs before and behind the engine; one that fails makes the run fail',
  ),
  agentIsolation: setting(
    'TERRANE_AGENT_ISOLATION',
    oneOf('auto', 'bubblewrap', 'off'),
    'auto',
    '`bubblewrap`: an agent executes runs within it, or does not start ([what it keeps from them](security-of-runs.md)); `auto` does where it is installed and the kernel lets it, and says at the start where not; `off` never does',
  ),
  agentReadable: optional(
    'TERRANE_AGENT_READABLE',
    paths,
    'none',
    'files and directories, separated by colons, that runs within bubblewrap may read besides the programs of the machine: such as a mirror of providers, or programs below `/opt`',
  ),
  runMemory: setting(
    'TERRANE_RUN_MEMORY',
    wholeNumber(0, 16_777_216),
    4096,
    'the most memory that a run of an agent may take, all its processes together, in MiB, on Linux; `0`: no limit',
  ),
  runDisk: setting(
    'TERRANE_RUN_DISK',
    wholeNumber(0, 16_777_216),
    10_240,
    'the most room on the disk that a run and the providers of its workspace may take, in MiB, on Linux; `0`: no limit',
  ),
  agentEngineSettings: secret(
    'TERRANE_AGENT_ENGINE_SETTINGS',
    text,
    'none',
    'settings for all engines of an agent in their own form, such as a `provider_installation` block with mirrors',
  ),
  enginesDirectory: optional(
    'TERRANE_ENGINES_DIR',
    text,
    'none',
    'engines besides those on the PATH, such as `1.9.0/terraform` and `tofu_1.10.6` below it',
  ),
  enginesDownload: setting(
    'TERRANE_ENGINES_DOWNLOAD',
    oneOf('off', 'terraform', 'tofu'),
    'off',
    '`terraform` or `tofu`: which of them an agent downloads where it has no engine of the version that a run wants; only what its publisher has signed is taken. Terraform from 1.6 on has a licence of its own, which you accept by this',
  ),
  enginesMirror: optional(
    'TERRANE_ENGINES_MIRROR',
    publicUrl,
    'the publisher',
    'where it downloads from: the address below which are the versions, with the files and signatures of the publisher ([how](security-of-runs.md#engines))',
  ),
  enginesKey: optional(
    'TERRANE_ENGINES_KEY',
    pem,
    "the publisher's",
    'the public key that signs what is downloaded, in armored form, for a mirror that signs by itself',
  ),
};
