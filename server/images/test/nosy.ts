import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'

/** Where a curious image process is sent. */
export interface Places {
  /** A server on this machine. */
  port: number
  /** A unix socket in a closed folder, as the database has it. */
  socket: string
  /** A picture in a closed folder. */
  picture: string
  /** A closed folder. */
  folder: string
  parent: number
}

const connects = (to: { port: number; host: string } | { path: string }): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(to as { path: string }, () => (socket.destroy(), resolve('done')))
    socket.on('error', (error) => resolve(error.message))
  })

async function attempt(deed: () => unknown): Promise<string> {
  try {
    const came = await deed()
    return typeof came === 'string' ? came : 'done'
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}

/** Tries what a stranger in a decoder would try; `done` for what went through, else what stood in the way. */
export async function lookAround({ port, socket, picture, folder, parent }: Places): Promise<Record<string, string>> {
  return {
    environment: JSON.stringify(Object.keys(process.env)),
    network: await attempt(() => connects({ port, host: '127.0.0.1' })),
    socket: await attempt(() => connects({ path: socket })),
    parentEnvironment: await attempt(() => readFileSync(`/proc/${parent}/environ`)),
    scriptReads: await attempt(() => readFileSync('/etc/hostname')),
    scriptWrites: await attempt(() => writeFileSync(`${folder}/script`, 'x')),
    fork: await attempt(() => {
      const { error } = spawnSync('true')
      if (error) throw error
    }),
    thread: await attempt(() => new Worker('', { eval: true })),
    // Native code goes past the walls around scripts, and meets those of the kernel.
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
