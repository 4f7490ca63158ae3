import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'

/** What an image process tries to reach. */
export interface ProbeTargets {
  /** A TCP server on this machine. */
  port: number
  /** A unix socket in a closed folder, as that of the database. */
  socket: string
  /** A picture in a closed folder. */
  picture: string
  /** A closed folder. */
  folder: string
  /** The process id of the parent process. */
  parent: number
}

const connectTo = (target: { port: number; host: string } | { path: string }): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(target as { path: string }, () => (socket.destroy(), resolve('done'))) // overloaded
    socket.on('error', (error) => resolve(error.message))
  })

async function attempt(action: () => unknown): Promise<string> {
  try {
    const result = await action()
    return typeof result === 'string' ? result : 'done'
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}

/** Tries what an attacker in a decoder would try: `done` for what worked, otherwise the error. */
export async function probeIsolation({
  port,
  socket,
  picture,
  folder,
  parent,
}: ProbeTargets): Promise<Record<string, string>> {
  return {
    environment: JSON.stringify(Object.keys(process.env)),
    network: await attempt(() => connectTo({ port, host: '127.0.0.1' })),
    socket: await attempt(() => connectTo({ path: socket })),
    parentEnvironment: await attempt(() => readFileSync(`/proc/${parent}/environ`)),
    scriptReads: await attempt(() => readFileSync('/etc/hostname')),
    scriptWrites: await attempt(() => writeFileSync(`${folder}/script`, 'x')),
    fork: await attempt(() => {
      const { error } = spawnSync('true')
      if (error) throw error
    }),
    thread: await attempt(() => new Worker('', { eval: true })),
    // Node's permission model does not apply to native code; the kernel's restrictions do.
    nativeReads: await attempt(() => sharp(picture).metadata()),
    nativeWrites: await attempt(() =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
        .png()
        .toFile(`${folder}/native`),
    ),
    kill: await attempt(() => process.kill(parent, 0)),
    root: await attempt(() => process.setuid?.(0)),
  }
}
