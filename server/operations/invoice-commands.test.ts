import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBusinessInvoice } from '../test/businesses.ts'
import { useServer } from '../test/harness.ts'
import { subscribe } from '../test/subscriptions.ts'
import { makeUser, type TestUser } from '../test/test-data.ts'
import { type AppCommandContext, UsageError } from './command.ts'
import { invoiceCommands } from './invoice-commands.ts'

const server = useServer({ PAYMENTS: 'demo' })
const folder = mkdtempSync(join(tmpdir(), 'keepsnap-invoices-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let user: TestUser
beforeAll(async () => {
  user = await makeUser(server)
  await subscribe(server, user)
})

const run = (...args: string[]) => invoiceCommands['invoices']!(args)({ db: server.db } as AppCommandContext) // it uses no more
const change = (id: string, set: string) =>
  server.app.deps.pool.query(`update business_invoices set ${set} where id = $1`, [id])

test('each document is a file of its own, named by its number; what waits is told with the way out', async () => {
  const [ready, unsafe, old, waiting] = [
    await addBusinessInvoice(server, user.id),
    await addBusinessInvoice(server, user.id),
    await addBusinessInvoice(server, user.id),
    await addBusinessInvoice(server, user.id),
  ]
  await change(unsafe, "number = '../A/1'")
  await change(old, "issued_at = '2020-01-01'")
  await change(waiting, "waits_for = '{rate,seller,buyer_city}', issued_at = '2020-01-01', number = 'W-1'")
  const target = join(folder, 'new', 'folder')
  const first = await run(target, '--since', '2026-01-01')
  expect(first).toMatchObject({ exitStatus: 1 })
  const { text } = first as { text: string }
  expect(text).toContain(`2 files written to ${target}, 0 files there already.\n1 document not written:\n`)
  expect(text).toMatch(
    /W-1 waits for the rate of the euro: enter it on \/admin; your own details; the city .*in Settings, under Business details\)\nYour own details: set OPERATOR_NAME/,
  )
  expect(readdirSync(target).toSorted()).toEqual(['___A_1.xml', `DEMO-${ready}.xml`].toSorted())
  expect(readFileSync(join(target, `DEMO-${ready}.xml`), 'utf8')).toContain(`<cbc:ID>DEMO-${ready}</cbc:ID>`)

  await change(waiting, "waits_for = '{}'")
  expect(await run(target, '--since', '2026-01-01')).toEqual({
    text: `0 files written to ${target}, 2 files there already.`,
    exitStatus: 0,
  })
  writeFileSync(join(target, '___A_1.xml'), 'of somebody else')
  await expect(run(target, '--since', '2026-01-01')).rejects.toThrow('is there with other content')
  expect(readFileSync(join(target, '___A_1.xml'), 'utf8')).toBe('of somebody else')
})

test.for([
  [],
  ['/tmp'],
  ['/tmp', '--since', 'yesterday'],
  ['/tmp', '--since', '2026-02-30'],
  ['--since', '2026-01-01'],
])('the arguments %o are refused with how it is used', (args) => expect(() => run(...args)).toThrow(UsageError))
