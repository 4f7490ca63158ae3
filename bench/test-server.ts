import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { findEmbeddedPostgres } from '@keepsnap/server/postgres/embedded-postgres.ts'
import { freePort, startProgram, type Program } from '@keepsnap/e2e/program.ts'
import { newVisitor, type Visitor } from '@keepsnap/e2e/visitor.ts'
import { openLiveConnection, type LiveConnection } from './live-connection.ts'
import { uploadTimed, type TimedUpload } from './timed-upload.ts'

/** A signed-in user with a live connection. */
export interface TestUser extends Visitor {
  id: string
  live: LiveConnection
  uploadTimed(file: Buffer): Promise<TimedUpload & { photo: Photo }>
}

/** Creates users of a running server. */
export interface UserFactory {
  /** Users with the largest plan and a verified email address. */
  createUsers(count: number): Promise<TestUser[]>
  createUser(): Promise<TestUser>
  /** A connection to the database of the server. */
  connectDatabase(): Promise<Client>
  /** Closes the connections of the users and to the database. */
  close(): Promise<void>
}

/** A server with its database and image processes, in a data folder of its own. */
export interface TestServer extends UserFactory {
  program: Program
  dataDir: string
  stop(): Promise<void>
}

const setTestPlan = `update users set granted_plan = 'pro_yearly', email_verified_at = now() where id = any($1)`

/** Each user registers from another IP address, so the server must trust X-Forwarded-For from loopback. */
export function userFactory(address: string, dataDir: string): UserFactory {
  const closers: (() => unknown)[] = []
  let registered = 0

  const connectDatabase = async (): Promise<Client> => {
    const connection = findEmbeddedPostgres(dataDir)
    if (!connection) throw new Error('the database of the server is not running')
    const client = new Client(connection)
    await client.connect()
    closers.push(() => client.end())
    return client
  }

  const createUser = async (): Promise<TestUser> => {
    registered += 1
    const visitor = await newVisitor(address, `10.0.${registered >> 8}.${registered & 255}`)
    const { id } = (await (await visitor.call('GET', '/user/me')).json()) as { id: string } // the contract's reply
    const live = await openLiveConnection(address, visitor.token)
    closers.push(() => live.close())
    const client = await connectDatabase()
    await client.query(setTestPlan, [[id]])
    const headers = { authorization: `Bearer ${visitor.token}` }
    return {
      ...visitor,
      id,
      live,
      async uploadTimed(file) {
        const upload = await uploadTimed(address, file, headers)
        return { ...upload, photo: upload.body as Photo } // the contract's reply
      },
    }
  }

  return { createUser, connectDatabase } as UserFactory
}
