import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { adminKeyCommands } from './admin-key-commands.ts'
import { UsageError } from './command.ts'
import { commandError, operatorCommands, runOperatorCommand } from './operator-commands.ts'
import { createLog } from '../runtime/log.ts'

const config = readConfig({ DATA_DIR: '/nowhere' }, { lanAddress: undefined, cwd: '/nowhere' })
const run = (command: string, ...args: string[]) =>
  runOperatorCommand(command, args, { config, log: createLog('silent') })

const withoutAccount = [
  ...Object.keys(adminKeyCommands),
  'migrate',
  'backup',
  'restore',
  'billing',
  'demo',
  'demo-clock',
  'move-storage',
  'removals',
  'rotate-secret',
  'verify',
]
test.each(operatorCommands.filter((command) => !withoutAccount.includes(command)))(
  '%s without an email address is refused',
  async (command) => {
    await expect(run(command)).rejects.toThrow(UsageError)
    await expect(run(command, 'ann')).rejects.toThrow('needs the email address of an account')
  },
)

test.each([
  [['ann@example.com'], 'PLAN_ID is one of free, '],
  [['ann@example.com', 'gold'], 'PLAN_ID is one of free, '],
  [['ann@example.com', 'pro_yearly', 'until', '2099-01-31'], 'PLAN_ID is one of free, '],
  [['ann@example.com', 'pro_yearly', '--until'], '--until needs a day'],
  [['ann@example.com', 'pro_yearly', '--until', '31-01-2099'], '--until needs a day'],
  [['ann@example.com', 'pro_yearly', '--until', '2099-02-31'], '--until needs a day'],
  [['ann@example.com', 'pro_yearly', '--until', '2020-01-31'], '--until is in the past'],
])('grant-plan %j is refused before the database is opened: %s', async (args, message) => {
  await expect(run('grant-plan', ...args)).rejects.toThrow(UsageError)
  await expect(run('grant-plan', ...args)).rejects.toThrow(message)
})

test.each([[['ann@example.com']], [['--yes', '12']], [['--yes', '0a1b2c3d', 'all']], [['0a1b2c3d']]])(
  'removals %j is refused before the database is opened',
  async (args) => {
    await expect(run('removals', ...args)).rejects.toThrow('removals [--yes [NUMBER]]')
  },
)

test.each([
  [['ann'], 'billing needs the email address of an account'],
  [['ann@example.com', '--refunds'], 'billing [EMAIL [--sync] [--refund [--yes]]]'],
  [['--sync'], 'billing needs the email address of an account'],
])('billing %j is refused before the database is opened: %s', async (args, message) => {
  await expect(run('billing', ...args)).rejects.toThrow(UsageError)
  await expect(run('billing', ...args)).rejects.toThrow(message)
})

test.each([
  ['31d'],
  ['-1d'],
  ['+1'],
  ['+0d'],
  ['+1w'],
  ['+1.5d'],
  ['+9999999d'],
  ['--yes'],
  ['+1d', 'yes'],
  ['+1d', '--yes', '+1d'],
])('demo-clock %s is refused before the database is opened', async (...args) => {
  await expect(run('demo-clock', ...args)).rejects.toThrow(UsageError)
  await expect(run('demo-clock', ...args)).rejects.toThrow('demo-clock [+31d [--yes]]')
})

test.each([
  ['create-admin-key'],
  ['demo', 'again'],
  ['create-admin-key', 'x'.repeat(61)],
  ['list-admin-keys', 'all'],
  ['revoke-admin-key'],
  ['revoke-admin-key', 'one', 'two'],
])('%s %s is refused before the database is opened', async (command, ...args) => {
  await expect(run(command, ...args)).rejects.toThrow(UsageError)
})

test.each([
  ['backup'],
  ['backup', 'one', 'two'],
  ['backup', 'one', '--keep'],
  ['backup', 'one', '--keep', '0'],
  ['backup', 'one', '--keep', '1.5'],
  ['backup', 'one', '--fast'],
  ['restore'],
  ['restore', 'one', 'two'],
  ['restore', 'one', '--from'],
  ['restore', 'one', '--from', '--check'],
  ['restore', 'one', '--yes'],
])('%s %s is refused before the database is opened', async (command, ...args) => {
  await expect(run(command, ...args)).rejects.toThrow(UsageError)
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
