import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { findEmbedded } from '@keepsnap/server/db/embedded.ts'
import { freePort, startProgram, type Program } from '@keepsnap/e2e/program.ts'
import { newVisitor, type Visitor } from '@keepsnap/e2e/visitor.ts'
import { openScreen, type Screen } from './screen.ts'
import { sendPhoto, type Sent } from './uploading.ts'

/** A signed-in user with one open screen. */
export interface Guest extends Visitor {
  id: string
  screen: Screen
  send(file: Buffer): Promise<Sent & { photo: Photo }>
}

/** Makes users of a running program whose data folder is known. */
export interface Guests {
  /** Users whom neither their plan nor an address that is not confirmed stands in the way. */
  guests(count: number): Promise<Guest[]>
  /** A connection to the program's own database. */
  database(): Promise<Client>
  /** Closes what they have open. */
  end(): Promise<void>
}

/** The real program with its database and image processes, in a folder of its own. */
export interface House extends Guests {
  program: Program
  dataDir: string
  stop(): Promise<void>
}

/** The program must believe what address its clients name. */
export function guestsOf(address: string, dataDir: string): Guests {
  const open: { end(): unknown }[] = []
  let visitors = 0

  const database = async (): Promise<Client> => {
    const where = findEmbedded(dataDir)
    if (!where) throw new Error('the program has no database')
    const client = new Client(where)
    await client.connect()
    open.push(client)
    return client
  }

  const guest = async (): Promise<Guest> => {
    visitors += 1
    const visitor = await newVisitor(address, `10.0.${visitors >> 8}.${visitors & 255}`)
    const { id } = (await (await visitor.call('GET', '/user/me')).json()) as { id: string } // what the contract says
    const screen = await openScreen(address, visitor.token)
    open.push(screen)
    const headers = { authorization: `Bearer ${visitor.token}` }
    return {
      ...visitor,
      id,
      screen,
      async send(file) {
        const sent = await sendPhoto(address, file, headers)
        return { ...sent, photo: sent.body as Photo } // what the contract says
      },
    }
  }

  return {
    database,
    async guests(count) {
      const made: Guest[] = []
      while (made.length < count) made.push(await guest())
      const client = await database()
      await client.query(`update users set granted_plan = 'pro_yearly', email_verified_at = now() where id = any($1)`, [
        made.map(({ id }) => id),
      ])
      return made
    },
    async end() {
      for (const one of open) await one.end()
    },
  }
}

/** Starts the program as an operator would, except that it believes what address its clients name. */
export async function openHouse(scratch: string, env: Record<string, string> = {}): Promise<House> {
  const dataDir = join(scratch, 'data')
  mkdirSync(dataDir, { recursive: true })
  const program = await startProgram({
    dataDir,
    port: await freePort(),
    log: join(scratch, 'log'),
    // The options of npm start.
    env: { TRUSTED_PROXIES: '127.0.0.1', NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_ARENA_MAX: '2', ...env },
  })
  const guests = guestsOf(program.address, dataDir)
  return {
    ...guests,
    program,
    dataDir,
    async stop() {
      await guests.end()
      await program.stop()
    },
  }
}
