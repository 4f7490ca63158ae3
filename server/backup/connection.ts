import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client, type ClientConfig } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { writeHashed } from './hashed-files.ts'
import type { ListedFile } from './manifest.ts'

/** Makes the text format of values independent of server settings and versions, without rounding. */
const portable = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = 'hex'; set search_path = public;
  set statement_timeout = 0; set lock_timeout = '60s'; set idle_in_transaction_session_timeout = 0`

/** A connection for copying whole tables: without limits of time, and with portable formats. */
export async function connectForCopy(database: ClientConfig): Promise<Client> {
  const client = new Client({ ...database, connectionTimeoutMillis: 10_000, keepAlive: true })
  // A connection that breaks rejects the query in progress; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  await client.query(portable)
  return client
}

/** Writes the rows of a query into a private file, in PostgreSQL's text format of COPY, which every version reads. */
export async function copyToFile(
  client: Client,
  query: string,
  { folder, file }: { folder: string; file: string },
): Promise<ListedFile & { rows: number }> {
  const rows = client.query(copyTo(`copy (${query}) to stdout`))
  const checksum = await writeHashed(rows, join(folder, file))
  return { file, rows: rows.rowCount, ...checksum }
}

/** Reads rows in that format into a table. */
export async function copyIntoTable(client: Client, target: string, rows: Readable): Promise<void> {
  await pipeline(rows, client.query(copyFrom(`copy ${target} from stdin`)))
}
