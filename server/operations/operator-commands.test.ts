import { describe, expect, test } from 'vitest'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../platform/process/log.ts'
import { useServer } from '../test/harness.ts'
import { callBilling, demoOf, openCheckout, subscribe, subscriptionStatusOf } from '../test/subscriptions.ts'
import { makeUser } from '../test/test-data.ts'
import { accountCommands, adminKeyCommands } from './account-commands.ts'
import { billingCommands } from './plan-commands.ts'
import { UsageError } from './command.ts'
import { requestCommands } from './request-commands.ts'
import { commandError, operatorCommands, runOperatorCommand } from './operator-commands.ts'

describe('what is wrong in a command line is said before the database is opened', () => {
  const config = readConfig({ DATA_DIR: '/nowhere' }, { lanAddress: undefined, cwd: '/nowhere' })
  const run = (command: string, ...args: string[]) =>
    runOperatorCommand(command, args, { config, log: createLog('silent') })

  const withoutAccount = [
    ...Object.keys(adminKeyCommands),
    ...Object.keys(requestCommands),
    'migrate',
    'backup',
    'restore',
    'billing',
    'demo',
    'demo-clock',
    'invoices',
    'move-storage',
    'removals',
    'rotate-secret',
    'verify',
  ]
  test.each(operatorCommands.filter((command) => !withoutAccount.includes(command)))(
    '%s without an email address',
    async (command) => {
      await expect(run(command)).rejects.toThrow(UsageError)
      await expect(run(command, 'ann')).rejects.toThrow('needs the email address of an account')
    },
  )

  const ann = 'ann@example.com'
  const plan = 'PLAN_ID is one of free, '
  const removals = 'removals [--yes [NUMBER]]'
  const demoClock = 'demo-clock [+31d [--yes]]'
  const any = ''
  test.each([
    ['grant-plan', [ann], plan],
    ['grant-plan', [ann, 'gold'], plan],
    ['grant-plan', [ann, 'pro_yearly', 'until', '2099-01-31'], plan],
    ['grant-plan', [ann, 'pro_yearly', '--until'], '--until needs a day'],
    ['grant-plan', [ann, 'pro_yearly', '--until', '31-01-2099'], '--until needs a day'],
    ['grant-plan', [ann, 'pro_yearly', '--until', '2099-02-31'], '--until needs a day'],
    ['grant-plan', [ann, 'pro_yearly', '--until', '2020-01-31'], '--until is in the past'],
    ['removals', [ann], removals],
    ['removals', ['--yes', '12'], removals],
    ['removals', ['--yes', '0a1b2c3d', 'all'], removals],
    ['removals', ['0a1b2c3d'], removals],
    ['billing', ['ann'], 'billing needs the email address of an account'],
    ['billing', [ann, '--refunds'], 'billing [--check | EMAIL [--sync] [--refund [--yes]]]'],
    ['billing', ['--sync'], 'billing needs the email address of an account'],
    ...['31d', '-1d', '+1', '+0d', '+1w', '+1.5d', '+9999999d', '--yes'].map(
      (time) => ['demo-clock', [time], demoClock] as const,
    ),
    ['demo-clock', ['+1d', 'yes'], demoClock],
    ['demo-clock', ['+1d', '--yes', '+1d'], demoClock],
    ['demo', ['again'], any],
    ['create-admin-key', [], any],
    ['create-admin-key', ['x'.repeat(61)], any],
    ['create-admin-key', [' '], any],
    ['create-admin-key', ['two\nlines'], any],
    ['list-admin-keys', ['all'], any],
    ['revoke-admin-key', [], any],
    ['revoke-admin-key', ['one', 'two'], any],
    ['backup', [], any],
    ['backup', ['one', 'two'], any],
    ['backup', ['one', '--keep'], any],
    ['backup', ['one', '--keep', '0'], any],
    ['backup', ['one', '--keep', '1.5'], any],
    ['backup', ['one', '--fast'], any],
    ['restore', [], any],
    ['restore', ['one', 'two'], any],
    ['restore', ['one', '--from'], any],
    ['restore', ['one', '--from', '--check'], any],
    ['restore', ['one', '--yes'], any],
  ] as const)('%s %j', async (command, args, message) => {
    const error: unknown = await run(command, ...args).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect(String(error)).toContain(message)
  })
})

test('says that the connection to the database was lost; a file that is missing is another error', () => {
  const lost = new Error('Client has encountered a connection error and is not queryable')
  expect(commandError('backup', lost)).toHaveProperty(
    'message',
    'The connection to the database was lost, so backup is not finished (Client has encountered a connection error and is not queryable). Run it again when the database is back.',
  )
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open', path: '/photos' })
  expect(commandError('backup', missing)).toBe(missing)
})

const server = useServer({ LOG_LEVEL: 'silent' })

const commands = { ...adminKeyCommands, ...billingCommands, ...accountCommands }
const questions: string[] = []
/** Runs a command beside the server; `answer` is what the operator says to its question. */
function run(name: string, args: string[] = [], answer = false): Promise<string> {
  const command = commands[name]
  if (!command) throw new Error(`there is no command ${name}`)
  const { config, log } = server.app.deps
  const confirm = async (question: string): Promise<boolean> => {
    questions.push(question)
    return answer
  }
  return command(args)({ config, log, db: server.db, confirm })
}
const query = async (text: string, values: unknown[] = []): Promise<object[]> =>
  (await server.app.deps.pool.query<object>(text, values)).rows

test('the commands about an account change it, say so, and refuse an address that has none', async () => {
  const user = await makeUser(server)
  const { email } = user
  const state = async () => {
    const [row] = await query('select is_admin as admin, is_active as active from users where id = $1', [user.id])
    return row
  }
  await expect(run('grant-admin', [email])).rejects.toThrow(`the address ${email} is not confirmed`)
  expect(await state()).toEqual({ admin: false, active: true })
  expect(await run('grant-admin', [email, '--unconfirmed'])).toBe(`${email} is an admin.`)
  expect(await state()).toEqual({ admin: true, active: true })
  await query('update users set email_verified_at = now() where id = $1', [user.id])
  expect(await run('grant-admin', [email])).toBe(`${email} is an admin.`)
  expect(await run('revoke-admin', [email])).toBe(`${email} is no longer an admin.`)
  expect(await run('deactivate', [email])).toMatch(/ is deactivated: signed out everywhere, guest pages closed, /)
  expect(await state()).toEqual({ admin: false, active: false })
  expect(await run('activate', [email])).toBe(`${email} is active.`)
  expect(await state()).toEqual({ admin: false, active: true })
  for (const command of Object.keys(accountCommands))
    await expect(run(command, ['nobody@example.com', ...(command === 'grant-plan' ? ['free'] : [])])).rejects.toThrow(
      new UsageError('there is no account with the address nobody@example.com'),
    )
})

test('grant-plan gives a plan until the end of a day or for good, and takes it', async () => {
  const user = await makeUser(server)
  const granted = async (...args: string[]) => [
    await run('grant-plan', [user.email, ...args]),
    (await subscriptionStatusOf(server, user)).complimentary,
  ]
  const yearly = { id: 'pro_yearly', name: 'Pro Yearly' }
  expect(await granted('pro_yearly', '--until', '2999-12-31')).toEqual([
    `${user.email} has Pro Yearly until 2999-12-31.`,
    { ...yearly, until: '2999-12-31T23:59:59.999Z' },
  ])
  expect(await granted('pro_yearly')).toEqual([`${user.email} has Pro Yearly.`, { ...yearly, until: null }])
  expect(await granted('free')).toEqual([`${user.email} has the free plan.`, null])
})

describe('an admin key', () => {
  const statusWith = async (key: string): Promise<number> =>
    (await server.request({ method: 'GET', url: '/api/admin/stats', headers: { 'x-api-key': key } })).statusCode

  test('is created, shown once, listed without its secret, and revoked, each with a line in the audit log', async () => {
    expect(await run('list-admin-keys')).toBe('No admin keys. Create one with create-admin-key NAME.')
    const lines = (await run('create-admin-key', ['monthly', 'reports'])).split('\n')
    const key = lines.at(-1) ?? ''
    expect(key).toMatch(/^ksadm_[0-9A-Za-z]{43,}$/)
    expect(await statusWith(key)).toBe(200)
    expect(JSON.stringify(await query('select k::text as row from admin_keys k'))).not.toContain(key)
    const list = await run('list-admin-keys')
    expect(list).not.toContain(key)
    expect(list).toContain(`ksadm_...${key.slice(-4)}  monthly reports: created 20`)
    expect(list).not.toContain('last used never')
    const [id = ''] = list.split(' ')
    expect(lines[0]).toBe(`Created the admin key monthly reports with the ID ${id}.`)
    expect(await run('revoke-admin-key', [id])).toBe('Revoked the admin key monthly reports. It no longer works.')
    expect(await statusWith(key)).toBe(401)
    expect(await run('revoke-admin-key', [id])).toBe('The admin key monthly reports has already been revoked.')
    expect(await run('list-admin-keys')).toContain(', revoked 20')
    await expect(run('revoke-admin-key', ['0'.repeat(22)])).rejects.toThrow(UsageError)
    expect(
      await query(
        `select actor_kind, actor_name, action from audit_log where actor_name like '%-admin-key' order by at`,
      ),
    ).toEqual([
      { actor_kind: 'command', actor_name: 'create-admin-key', action: 'create admin key monthly reports' },
      { actor_kind: 'command', actor_name: 'revoke-admin-key', action: 'revoke admin key monthly reports' },
    ])
  })

  test('is refused when there are 50 that are not revoked', async () => {
    await query(
      `insert into admin_keys (id, name, key_hash, last_four)
       select 'k' || i, 'n', decode(md5(i::text), 'hex'), 'abcd' from generate_series(1, $1) as i`,
      [adminLimits.keysMax - 1],
    )
    const both = await Promise.allSettled([run('create-admin-key', ['one']), run('create-admin-key', ['two'])])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(run('create-admin-key', ['more'])).rejects.toThrow('there are 50 admin keys already')
  })
})

describe('billing', () => {
  test('without an address says in one line how payments are doing', async () => {
    expect(await run('billing')).toMatch(
      /^Payments: demo; last webhook: never; [^\n]*customers to close: 0; refunds to finish: 0; open disputes: 0$/,
    )
  })

  test('with an address says what an account pays', async () => {
    const user = await makeUser(server)
    expect(await run('billing', [user.email])).toMatch(/Plan: Free\n[^]*Payments: none yet\./)
    await subscribe(server, user)
    await callBilling(server, user, 'cancel')
    const text = await run('billing', [user.email])
    expect(text).toContain('Plan: Pro Monthly\n')
    expect(text).toMatch(/Customer: demo_cus_\w+ \(demo\), first paid 20\d\d-/)
    expect(text).toMatch(/Subscription: demo_sub_\w+, pro_monthly, active, ends with its period, period 20/)
  })

  test('--sync applies what the provider says', async () => {
    const user = await makeUser(server)
    await demoOf(server).payCheckout(await openCheckout(server, user))
    expect(await run('billing', [user.email])).toContain('Plan: Free\n')
    expect(await run('billing', [user.email, '--sync'])).toContain('Plan: Pro Monthly\n')
  })

  test('--refund asks first, refunds everything and ends the plan', async () => {
    const user = await makeUser(server)
    await expect(run('billing', [user.email, '--refund', '--yes'])).rejects.toThrow('has never paid for a plan')
    await expect(run('billing', ['nobody@example.com'])).rejects.toThrow(UsageError)
    await subscribe(server, user, 'pro_yearly')
    expect(await run('billing', [user.email, '--refund'])).toContain('Nothing was refunded. Add --yes')
    expect(questions.at(-1)).toBe('Refund $149.99 and end the subscription now?')
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('pro_yearly')
    const text = await run('billing', [user.email, '--refund'], true)
    expect(text).toContain('Refunded $149.99.')
    expect(text).toMatch(/Refund: operator, 14999 cents on 20/)
    expect(await query('select actor_kind, actor_name, action from audit_log where user_id = $1', [user.id])).toEqual([
      { actor_kind: 'command', actor_name: 'billing', action: 'refund' },
    ])
    expect((await subscriptionStatusOf(server, user)).plan.id).toBe('free')
    expect(await run('billing', [user.email, '--refund', '--yes'])).toContain('Nothing is left to refund.')
  })

  test('deactivating an account that pays says that its payments end', async () => {
    const [paying, other] = [await makeUser(server), await makeUser(server)]
    await subscribe(server, paying)
    expect(await run('deactivate', [paying.email])).toContain(
      'Its paid subscription ends, and nothing more is charged.',
    )
    expect(await run('deactivate', [other.email])).not.toContain('charged')
  })
})
