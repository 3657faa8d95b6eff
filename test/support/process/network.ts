/**
 * A network of small machines: each is a network namespace with an address of its own on one bridge, and no route out. The tests are on
 * the bridge too.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { env, getuid, kill, pid } from 'node:process'
import { execa } from 'execa'

export type Machine = {
  name: string
  address: string
  /** The words before a command that runs it on this machine. */
  inside: string[]
  /** Loses every packet from and to this machine: nothing tells either side. */
  cutOff(): Promise<unknown>
  reconnect(): Promise<unknown>
}

export type Network = {
  /** Of the tests themselves, which all machines also know by `name`. */
  address: string
  name: string
  range: string
  machine(name: string): Promise<Machine>
  /** Removes the machines, and ends what runs on them. */
  close(): Promise<void>
}

const programs = ['ip', 'pgbouncer', 'nginx', 'faketime']
const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin']
const with_ip = { PATH: folders.join(delimiter) }
const lacking = programs.filter(name => !folders.some(folder => existsSync(join(folder, name))))

/** Why this machine can have no network of machines; `undefined`: it can. */
export const no_network: string | undefined =
  getuid?.() !== 0
    ? 'only root can make network namespaces'
    : lacking.length > 0
      ? `this machine lacks ${lacking.join(', ')}`
      : await execa('unshare', ['--net', 'true']).then(
          () => undefined,
          () => 'this machine allows no network namespaces',
        )

/** All names begin with this and the id of the process that made them. */
const ours = 'bl'
const settings = '/etc/netns'

/** `name`: the name of the bridge; the names of its machines begin with it. `part`: the first three numbers of every address. */
export type Bridge = { name: string; part: string }

/** Opens what the network needs on this machine itself. */
export async function openBridge(): Promise<Bridge> {
  await removeOfTheDead()
  // A range for tests of networks (RFC 2544), of which each run takes a part.
  const [name, part] = [`${ours}${pid}`, `198.18.${pid % 256}`]
  await ip('link', 'add', name, 'type', 'bridge')
  try {
    await keepWithoutIpv6(name)
    await ip('address', 'add', `${part}.1/24`, 'dev', name)
    await ip('link', 'set', name, 'up')
  } catch (fault) {
    await closeBridge({ name })
    throw fault
  }
  return { name, part }
}

/** Stops the kernel from giving a device an address of IPv6. */
async function keepWithoutIpv6(device: string): Promise<void> {
  if (existsSync('/proc/sys/net/ipv6')) await ip('link', 'set', device, 'addrgenmode', 'none')
}

export function openNetwork({ name: own, part }: Bridge): Network {
  let last = 1
  return {
    name: 'tests.example',
    address: `${part}.1`,
    range: `${part}.0/24`,
    async machine(name) {
      const number = ++last
      const [space, outer] = [`${own}-${name}`, `${own}v${number}`]
      // Replaces /etc/hosts for what runs inside.
      await mkdir(join(settings, space), { recursive: true })
      await writeFile(join(settings, space, 'hosts'), `127.0.0.1 localhost\n${part}.1 tests.example\n`)
      await ip('netns', 'add', space)
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
      await keepWithoutIpv6(outer)
      await ip('link', 'set', outer, 'master', own, 'up')
      await ip('-n', space, 'address', 'add', `${part}.${number}/24`, 'dev', 'eth0')
      for (const device of ['lo', 'eth0']) await ip('-n', space, 'link', 'set', device, 'up')
      return {
        name,
        address: `${part}.${number}`,
        inside: ['ip', 'netns', 'exec', space],
        cutOff: () => ip('link', 'set', outer, 'down'),
        reconnect: () => ip('link', 'set', outer, 'up'),
      }
    },
    close: () => removeMachines(own),
  }
}

/** The bridges of all runs, and the outer ends of the lines to their machines. */
const ourDevices = async () =>
  (await readdir('/sys/class/net')).flatMap(name => {
    const run = new RegExp(`^${ours}(\\d+)(v\\d+)?$`).exec(name)?.[1]
    return run === undefined ? [] : [{ name, run }]
  })

/** A test run that was killed removed nothing. */
async function removeOfTheDead(): Promise<void> {
  const runs = new Set((await ourDevices()).map(({ run }) => run))
  const dead = [...runs].filter(run => run === String(pid) || !existsSync(`/proc/${run}`))
  // Another run may remove the same.
  for (const run of dead) await closeBridge({ name: `${ours}${run}` }).catch(() => {})
}

/** Removes the bridge and its machines. */
export async function closeBridge({ name }: Pick<Bridge, 'name'>): Promise<void> {
  await removeMachines(name)
  // A connection that a dead machine had open keeps its line for minutes.
  for (const device of await ourDevices())
    if (name === ours + device.run) await ip('link', 'delete', device.name).catch(() => {})
}

/** Removes the bridge alone, at once: an interrupted run can await nothing. The next run removes the machines. */
export const dropBridge = ({ name }: Bridge): void => void spawnSync('ip', ['link', 'delete', name], { env: with_ip })

async function removeMachines(run: string): Promise<void> {
  const spaces = (await ip('netns', 'list')).split('\n').map(line => line.split(' ')[0] ?? '')
  for (const space of spaces.filter(name => name.startsWith(`${run}-`))) {
    const inside = (await ip('netns', 'pids', space)).split('\n').filter(Boolean)
    for (const one of inside) endQuietly(Number(one))
    // The network devices of the machine go with it.
    await ip('netns', 'delete', space)
    await rm(join(settings, space), { recursive: true, force: true })
  }
}

function endQuietly(process_id: number): void {
  try {
    kill(process_id, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

async function ip(...args: string[]): Promise<string> {
  const { stdout } = await execa('ip', args, { env: with_ip })
  return stdout
}
