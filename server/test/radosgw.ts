import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3'
import { newId } from '../lib/ids.ts'
import { isRunning } from '../platform/process/processes.ts'
import { freePorts } from './child-processes.ts'

const run = promisify(execFile)
const startMs = 240_000
const osdId = '11111111-2222-4333-8444-555555555555'

/** A real S3 server (Ceph's RADOS gateway, its store in memory), everything on loopback. */
export interface Gateway {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** Where its files are. */
  dir: string
  /** Pids of its three programs, for tests that stop or freeze one. */
  pids(): Record<'mon' | 'osd' | 'rgw', number>
  stop(): Promise<void>
}

export const hasRadosgw = (): boolean =>
  existsSync('/usr/bin/radosgw') && existsSync('/usr/bin/ceph-osd') && existsSync('/usr/bin/ceph-mon')

const configuration = (dir: string, [v2, v1, http]: readonly number[]): string => `
[global]
fsid = ${osdId}
mon_host = [v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_ipv6 = false
keyring = ${dir}/keyring
run_dir = ${dir}/run
admin_socket = ${dir}/run/$name.$pid.asok
log_file = ${dir}/log/$name.log
pid_file = ${dir}/run/$name.pid
crash_dir = ${dir}/crash
auth_allow_insecure_global_id_reclaim = false
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_objectstore = memstore
memstore_device_bytes = 1073741824
[mon.a]
mon_data = ${dir}/mon
[osd.0]
osd_data = ${dir}/osd
[client.rgw.a]
rgw_frontends = beast endpoint=127.0.0.1:${http}
rgw_data = ${dir}/rgw
`

function pidsIn(dir: string): Record<string, number> {
  const run = join(dir, 'run')
  const files = existsSync(run) ? readdirSync(run).filter((file) => file.endsWith('.pid')) : []
  return Object.fromEntries(files.map((file) => [file.split('.')[0], Number(readFileSync(join(run, file), 'utf8'))]))
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(endpoint, { signal: AbortSignal.timeout(1_000) })).status > 0
  } catch {
    return false
  }
}

async function boot(dir: string, ports: readonly number[], user: { key: string; secret: string }): Promise<void> {
  const conf = join(dir, 'ceph.conf')
  await writeFile(conf, configuration(dir, ports))
  for (const part of ['mon', 'osd', 'run', 'log', 'rgw', 'crash']) await mkdir(join(dir, part))
  const keyring = join(dir, 'keyring')
  /** Runs a program. Spaces divide its words, but not those within a value. */
  const tool = (
    { raw }: TemplateStringsArray,
    ...values: readonly (string | number | undefined)[]
  ): Promise<unknown> => {
    const text = String.raw({ raw }, ...values.map((_, at) => `\0${at}\0`))
    const valueOf = (_: string, at: string): string => String(values[Number(at)])
    const [name = '', ...args] = text.split(' ').map((word) => word.replace(/\0(\d+)\0/g, valueOf))
    return run(`/usr/bin/${name}`, args, { cwd: dir, timeout: startMs })
  }
  const [all, osd] = ['allow *', 'allow profile osd']
  await tool`ceph-authtool --create-keyring ${keyring} --gen-key -n mon. --cap mon ${all}`
  await tool`ceph-authtool ${keyring} --gen-key -n client.admin --cap mon ${all} --cap osd ${all} --cap mgr ${all}`
  await tool`ceph-authtool ${keyring} --gen-key -n osd.0 --cap mon ${osd} --cap osd ${all} --cap mgr ${osd}`
  await tool`ceph-authtool ${keyring} --gen-key -n client.rgw.a --cap mon ${all} --cap osd ${all}`
  await tool`monmaptool --create --addv a [v2:127.0.0.1:${ports[0]},v1:127.0.0.1:${ports[1]}] --fsid ${osdId} monmap`
  await tool`ceph-mon -c ${conf} -i a --mkfs --monmap monmap --keyring ${keyring}`
  await tool`ceph-mon -c ${conf} -i a`
  await Promise.all([tool`ceph -c ${conf} osd new ${osdId}`, tool`ceph-osd -c ${conf} -i 0 --mkfs --osd-uuid ${osdId}`])
  await tool`ceph-osd -c ${conf} -i 0`
  spawn('/usr/bin/radosgw', ['-c', conf, '-n', 'client.rgw.a'], { cwd: dir, stdio: 'ignore', detached: true }).unref()
  const endpoint = `http://127.0.0.1:${ports[2]}`
  for (const end = Date.now() + startMs; !(await answers(endpoint)); await delay(100)) {
    if (Date.now() > end) throw new Error(`the gateway did not start; see ${dir}/log`)
  }
  await tool`radosgw-admin -c ${conf} -n client.rgw.a user create --uid=app --display-name=app --access-key=${user.key} --secret-key=${user.secret}`
}

async function endAll(dir: string): Promise<void> {
  const pids = Object.values(pidsIn(dir))
  const living = (): number[] => pids.filter(isRunning)
  const signal = (name: NodeJS.Signals): void => living().forEach((pid) => process.kill(pid, name))
  signal('SIGCONT')
  signal('SIGTERM')
  for (const end = Date.now() + 5_000; Date.now() < end && living().length > 0;) await delay(50)
  signal('SIGKILL')
  await rm(dir, { recursive: true, force: true })
}

/** The way to a gateway and the right to use it. */
export type GatewayAccess = Pick<Gateway, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>

/** Creates a bucket that keeps versions, as Backblaze B2 always does; the settings of a program that uses it. */
export async function createBucket(
  { endpoint, accessKeyId, secretAccessKey }: GatewayAccess,
  name = `bucket-${newId().toLowerCase()}`,
): Promise<Record<string, string>> {
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region: 'default', forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  await client.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: 'Enabled' } }))
  client.destroy()
  return {
    S3_BUCKET: name,
    S3_ENDPOINT: endpoint,
    S3_REGION: 'default',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_DOWNLOADS: 'redirect',
  }
}

let shared: Promise<Gateway> | undefined

/** The gateway that the test files of this process share, each with buckets of its own. It ends with the test run. */
export const sharedGateway = (): Promise<Gateway> => (shared ??= startShared())

const gatewayPrefix = 'keepsnap-s3-'
const listOf = (folder: string): string => join(folder, 'gateways')

/** A worker process may be killed at its end, so the run itself ends what is on this list. */
async function startShared(): Promise<Gateway> {
  // Not at the top: what starts before the workers imports this file, too.
  const { inject } = await import('vitest')
  const gateway = await startGateway()
  await appendFile(listOf(inject('runFolder')), `${gateway.dir}\n`)
  return gateway
}

/** Ends the shared gateways of a test run. `folder`: that of the run. */
export async function endSharedGateways(folder: string): Promise<void> {
  if (!existsSync(listOf(folder))) return
  const dirs = readFileSync(listOf(folder), 'utf8').trim().split('\n')
  await Promise.all(dirs.map((dir) => endAll(dir)))
}

/** Starts a gateway of its own; about 10 s. */
export async function startGateway(): Promise<Gateway> {
  const dir = await mkdtemp(join(tmpdir(), gatewayPrefix))
  const ports = await freePorts(3)
  const user = { key: newId(20), secret: newId(40) }
  try {
    await boot(dir, ports, user)
  } catch (error) {
    await endAll(dir)
    throw error
  }
  return {
    endpoint: `http://127.0.0.1:${ports[2]}`,
    accessKeyId: user.key,
    secretAccessKey: user.secret,
    dir,
    pids() {
      const { mon = 0, osd = 0, client = 0 } = pidsIn(dir)
      return { mon, osd, rgw: client }
    },
    stop: () => endAll(dir),
  }
}

/** A call to the store, as it arrived. */
interface S3Call {
  method: string
  /** With its query. */
  path: string
  headers: IncomingMessage['headers']
}

/** What happens to a call instead of passing it on: an answer of the store, no answer, or a cut after some bytes of the answer. */
type S3Fault = { status: number; code: string } | 'hang' | { cutAfter: number }

/** A way to a store that notes every call and can fail some of them. */
export interface S3Proxy {
  endpoint: string
  calls: S3Call[]
  /** Decides about each call; undefined passes it on. */
  failWhen(decide: (call: S3Call) => S3Fault | undefined): void
  close(): Promise<void>
}

const errorBody = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

function passOn(
  upstream: URL,
  incoming: IncomingMessage,
  { outgoing, fault }: { outgoing: ServerResponse; fault: S3Fault | undefined },
): void {
  const { method, url: path, headers } = incoming
  const forwarded = request({ host: upstream.hostname, port: upstream.port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    if (typeof fault !== 'object' || !('cutAfter' in fault)) return void answer.pipe(outgoing)
    let left = fault.cutAfter
    answer.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) setImmediate(() => outgoing.destroy())
    })
  })
  forwarded.on('error', () => outgoing.destroy())
  incoming.on('error', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

/** Opens a proxy on loopback. Signatures stay valid: they cover the name under which the client called. */
export async function openS3Proxy(endpoint: string): Promise<S3Proxy> {
  const upstream = new URL(endpoint)
  const calls: S3Call[] = []
  let decide: (call: S3Call) => S3Fault | undefined = () => undefined
  const server = createServer((incoming, outgoing) => {
    const call = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers }
    calls.push(call)
    const fault = decide(call)
    if (fault === 'hang') return
    if (fault && 'status' in fault) {
      incoming.resume()
      outgoing.writeHead(fault.status, { 'content-type': 'application/xml' }).end(errorBody(fault.code))
      return
    }
    passOn(upstream, incoming, { outgoing, fault })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the proxy does not listen')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    calls,
    failWhen: (decision) => void (decide = decision),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
