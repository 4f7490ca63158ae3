import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../test/harness.ts'
import { callBilling, demoOf, openCheckout, subscriptionStatusOf, subscribe } from '../test/subscriptions.ts'
import { makeUser } from '../test/test-data.ts'
import { accountCommands } from './account-commands.ts'
import { billingCommands } from './billing-commands.ts'
import { UsageError, type Command } from './command.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
})
afterAll(() => server.close())

function commandOf(commands: Record<string, Command>, name: string): Command {
  const command = commands[name]
  if (!command) throw new Error(`there is no command ${name}`)
  return command
}
const questions: string[] = []
const run = async (args: string[], { answer = false, command = commandOf(billingCommands, 'billing') } = {}) => {
  const { config, log } = server.app.deps
  const confirm = async (question: string): Promise<boolean> => {
    questions.push(question)
    return answer
  }
  return command(args)({ config, log, db: server.db, confirm })
}

test('billing without an address says in one line how payments are doing', async () => {
  expect(await run([])).toMatch(
    /^Payments: demo; last webhook: never; [^\n]*customers to close: 0; refunds to finish: 0$/,
  )
})

test('billing with an address says what an account pays', async () => {
  const user = await makeUser(server)
  expect(await run([user.email])).toContain('Plan: Free\n')
  expect(await run([user.email])).toContain('Payments: none yet.')
  await subscribe(server, user)
  await callBilling(server, user, 'cancel')
  const text = await run([user.email])
  expect(text).toContain('Plan: Pro Monthly\n')
  expect(text).toMatch(/Customer: demo_cus_\w+ \(demo\), first paid 20\d\d-/)
  expect(text).toMatch(/Subscription: demo_sub_\w+, pro_monthly, active, ends with its period, period 20/)
})

test('--sync applies what the provider says', async () => {
  const user = await makeUser(server)
  await demoOf(server).payCheckout(await openCheckout(server, user))
  expect(await run([user.email])).toContain('Plan: Free\n')
  expect(await run([user.email, '--sync'])).toContain('Plan: Pro Monthly\n')
})

test('--refund asks first, refunds everything and ends the plan', async () => {
  const user = await makeUser(server)
  await subscribe(server, user, 'pro_yearly')
  expect(await run([user.email, '--refund'])).toContain('Nothing was refunded. Add --yes')
  expect(questions.at(-1)).toBe('Refund $149.99 and end the subscription now?')
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_yearly')
  const text = await run([user.email, '--refund'], { answer: true })
  expect(text).toContain('Refunded $149.99.')
  expect(text).toMatch(/Refund: operator, 14999 cents on 20/)
  const { rows } = await server.app.deps.pool.query<object>(
    'select actor_kind, actor_name, action from audit_log where user_id = $1',
    [user.id],
  )
  expect(rows).toEqual([{ actor_kind: 'command', actor_name: 'billing', action: 'refund' }])
  expect((await subscriptionStatusOf(server, user)).plan.id).toBe('free')
  expect(await run([user.email, '--refund', '--yes'])).toContain('Nothing is left to refund.')
})

test('an address without an account, or without a payment to refund, is a wrong command line', async () => {
  const user = await makeUser(server)
  await expect(run(['nobody@example.com'])).rejects.toThrow(UsageError)
  await expect(run([user.email, '--refund', '--yes'])).rejects.toThrow('has never paid for a plan')
})

test('deactivating an account that pays says that its payments end', async () => {
  const [paying, other] = [await makeUser(server), await makeUser(server)]
  await subscribe(server, paying)
  const command = commandOf(accountCommands, 'deactivate')
  expect(await run([paying.email], { command })).toContain('Its paid subscription ends, and nothing more is charged.')
  expect(await run([other.email], { command })).not.toContain('charged')
})
