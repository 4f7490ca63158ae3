import { describe, expect, test, vi } from 'vitest'
import { createSession } from './session.ts'
import { openStorage } from './storage.ts'
import { eventually } from '../test/eventually.ts'

const storage = () => openStorage(() => window.localStorage)
const storedToken = () => window.localStorage.getItem('token')
/** A session in a tab whose storage has this token. */
function open(token: string | null = null, tab = new EventTarget()) {
  if (token !== null) window.localStorage.setItem('token', token)
  return createSession(storage(), tab)
}
/** The event that a tab receives when another tab changes the storage. */
const changeInOtherTab = (tab: EventTarget, key: string | null) =>
  tab.dispatchEvent(new StorageEvent('storage', { key }))

describe('the session', () => {
  test('continues after a reload, until it ends in this tab, which removes it from the storage', () => {
    open().begin('abc')
    expect(storedToken()).toBe('abc')
    const session = open()
    expect(session.state()).toEqual({ token: 'abc', endReason: null })
    const listener = vi.fn<() => void>()
    session.subscribe(listener)
    session.end('signed-out')
    expect(session.state()).toEqual({ token: null, endReason: 'signed-out' })
    expect(storedToken()).toBeNull()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['continues when its token is refused while it is being renewed', 'new', 'new', null],
    ['ends when the renewal has failed', null, null, 'expired'],
  ] as const)('%s', async (_, newToken, token, endReason) => {
    const session = open()
    session.begin('old')
    const { promise: answer, resolve, reject } = Promise.withResolvers<string>()
    const renewed = session.whileReplacing(async () => session.renew('old', await answer)).catch(() => {})
    session.end('expired')
    expect(session.state()).toEqual({ token: 'old', endReason: null })
    if (newToken === null) reject(new Error('refused'))
    else resolve(newToken)
    await renewed
    await eventually(() => expect(session.state()).toEqual({ token, endReason }))
  })

  test('ends at once on sign-out, also during a renewal', () => {
    const session = open()
    session.begin('old')
    void session.whileReplacing(() => new Promise(() => {}))
    session.end('signed-out')
    expect(session.state()).toEqual({ token: null, endReason: 'signed-out' })
  })

  test('ends when another tab signs out or the storage is cleared, and begins when another tab signs in', () => {
    const tab = new EventTarget()
    const session = open('abc', tab)
    window.localStorage.removeItem('token')
    changeInOtherTab(tab, 'token')
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
    window.localStorage.setItem('token', 'xyz')
    changeInOtherTab(tab, 'theme')
    expect(session.state().token).toBeNull()
    changeInOtherTab(tab, 'token')
    expect(session.state().token).toBe('xyz')
    window.localStorage.clear()
    changeInOtherTab(tab, null)
    expect(session.state().token).toBeNull()
  })

  test('keeps its first end reason, until that is cleared', () => {
    const session = open()
    session.begin('abc')
    session.end('signed-out')
    session.end('expired')
    expect(session.state().endReason).toBe('signed-out')
    session.clearEndReason()
    expect(session.state()).toEqual({ token: null, endReason: null })
  })
})

describe('a session whose token is refused', () => {
  /** A tab of the browser with the session `old`. `endDelay` lets the time pass for which the token stays stored. */
  const tabWithSession = () => {
    const tab = new EventTarget()
    let endDelay = (): void => {}
    window.localStorage.setItem('token', 'old')
    const session = createSession(storage(), tab, (callback) => (endDelay = callback))
    return { tab, session, endDelay: () => endDelay() }
  }

  test('ends in this tab at once, and is removed from the storage a moment later', () => {
    const { tab, session, endDelay } = tabWithSession()
    session.end('expired')
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
    changeInOtherTab(tab, 'token')
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
    endDelay()
    expect(storedToken()).toBeNull()
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
  })

  test('continues with the token that another tab has stored before', () => {
    const { session } = tabWithSession()
    window.localStorage.setItem('token', 'new')
    session.end('expired')
    expect(session.state()).toEqual({ token: 'new', endReason: null })
    expect(storedToken()).toBe('new')
  })

  test.each(['before', 'after'])('continues with the token that another tab stores, event %s the removal', (order) => {
    const { tab, session, endDelay } = tabWithSession()
    session.end('expired')
    window.localStorage.setItem('token', 'new')
    const steps = [() => changeInOtherTab(tab, 'token'), endDelay]
    for (const step of order === 'before' ? steps : steps.toReversed()) step()
    expect(session.state()).toEqual({ token: 'new', endReason: null })
    expect(storedToken()).toBe('new')
  })

  test('does not end the next one, which begins before the removal', () => {
    const { session, endDelay } = tabWithSession()
    session.end('expired')
    session.begin('new')
    endDelay()
    expect([session.state().token, storedToken()]).toEqual(['new', 'new'])
  })

  test('stays ended after a second refusal, and can be signed out meanwhile', () => {
    const { session, endDelay } = tabWithSession()
    session.end('expired')
    session.end('signed-out')
    endDelay()
    expect([session.state().token, storedToken()]).toEqual([null, null])
  })

  test('does not sign out the tab that changes the password, and continues with its new token', () => {
    const { tab, session, endDelay } = tabWithSession()
    const changingTab = new EventTarget()
    const changing = createSession(storage(), changingTab)
    const tokens: (string | null)[] = []
    changing.subscribe(() => tokens.push(changing.state().token))
    session.end('expired')
    changeInOtherTab(changingTab, 'token')
    changing.renew('old', 'new')
    changeInOtherTab(tab, 'token')
    endDelay()
    expect([tokens, session.state(), storedToken()]).toEqual([['new'], { token: 'new', endReason: null }, 'new'])
  })
})

test('tells its subscribers whether the user is certainly the same', () => {
  const session = open()
  const changes: [string | null, boolean][] = []
  session.subscribe(({ sameUser }) => changes.push([session.state().token, sameUser]))
  session.begin('abc')
  session.renew('abc', 'def')
  session.begin('ghi')
  session.end('signed-out')
  expect(changes).toEqual([
    ['abc', false],
    ['def', true],
    ['ghi', false],
    [null, false],
  ])
})

/** Changes the token as another tab does. */
function changeToken(tab: EventTarget, newValue: string | null): void {
  const oldValue = storedToken()
  if (newValue === null) window.localStorage.removeItem('token')
  else window.localStorage.setItem('token', newValue)
  tab.dispatchEvent(new StorageEvent('storage', { key: 'token', oldValue, newValue }))
}

test.each([
  ['a renewed token', ['def'], [['def', true]]],
  [
    'another user who signs in',
    [null, 'def'],
    [
      [null, false],
      ['def', false],
    ],
  ],
] as const)('knows from another tab whether the user is the same: %s', (_, tokens, expected) => {
  const tab = new EventTarget()
  const session = open('abc', tab)
  const changes: [string | null, boolean][] = []
  session.subscribe(({ sameUser }) => changes.push([session.state().token, sameUser]))
  for (const token of tokens) changeToken(tab, token)
  expect(changes).toEqual(expected)
})

test('takes nobody for the same user when events arrive after another user has signed in', () => {
  const tab = new EventTarget()
  const session = open('abc', tab)
  const changes: [string | null, boolean][] = []
  session.subscribe(({ sameUser }) => changes.push([session.state().token, sameUser]))
  window.localStorage.setItem('token', 'ghi')
  const steps = ['abc', 'def', null, 'ghi']
  for (const [index, newValue] of steps.slice(1).entries())
    tab.dispatchEvent(new StorageEvent('storage', { key: 'token', oldValue: steps[index] ?? null, newValue }))
  expect(changes).toEqual([['ghi', false]])
})

test('is not renewed when another user has signed in since', () => {
  const session = open()
  session.begin('abc')
  session.end('signed-out')
  session.begin('xyz')
  session.renew('abc', 'def')
  expect([session.state().token, storedToken()]).toEqual(['xyz', 'xyz'])
})

test('a new session replaces a stored token in two steps, a renewed one in one', () => {
  const steps: (string | null)[] = []
  const stored = storage()
  const session = createSession({ ...stored, set: (key, value) => (steps.push(value), stored.set(key, value)) }, window)
  session.begin('abc')
  session.renew('abc', 'def')
  session.begin('ghi')
  expect(steps).toEqual(['abc', 'def', null, 'ghi'])
})

describe('a browser that denies access to its storage', () => {
  const denied = (): Storage => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }

  test('allows a sign-in until the tab is closed', () => {
    const session = createSession(openStorage(denied), new EventTarget())
    session.begin('abc')
    expect(session.state().token).toBe('abc')
    session.end('signed-out')
    expect(session.state().token).toBeNull()
  })

  test('stores in memory what does not fit on the disk', () => {
    const full = { getItem: () => null, setItem: denied, removeItem: denied } as unknown as Storage // three of its methods
    const storage = openStorage(() => full)
    storage.set('token', 'abc')
    expect(storage.get('token')).toBe('abc')
    storage.set('token', null)
    expect(storage.get('token')).toBeNull()
  })
})
