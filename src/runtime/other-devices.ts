/** Says how other devices at home reach the service. */
import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

type Interfaces = Record<string, NetworkInterfaceInfo[] | undefined>

/** Networks of containers and virtual machines, which no other device can reach. */
const inside = /^(?:br-|cni|docker|flannel|lxc|podman|veth|virbr|vmnet)/

/** Lines to print. `host`: on which the service listens; `url`: where this machine reaches it. */
export function waysFromOutside(host: string, url: string, interfaces: Interfaces = networkInterfaces()): string[] {
  if (host === '127.0.0.1' || host === 'localhost') return ['From other devices at home: HOST=0.0.0.0 npm start']
  if (host !== '0.0.0.0' && host !== '::') return []
  const outer = Object.entries(interfaces).flatMap(([name, all = []]) => (inside.test(name) ? [] : all))
  const addresses = outer.filter(({ family, internal }) => family === 'IPv4' && !internal)
  if (addresses.length === 0) return ['No other device reaches this machine, because it is in no network.']
  return [...new Set(addresses.map(({ address }) => address)), hostname()].map(
    name => `From other devices at home: ${url.replace('localhost', name)}`,
  )
}
