import { describe, expect, test, vi } from 'vitest'
import { createSession } from './session.ts'
import { openStorage } from './storage.ts'

const storage = () => openStorage(() => window.localStorage)
/** What the other tabs of this browser are told when one of them writes. */
const fromOtherTab = (tab: EventTarget, key: string | null) => tab.dispatchEvent(new StorageEvent('storage', { key }))

describe('the session', () => {
  test('is there again after the page is loaded anew', () => {
    createSession(storage(), new EventTarget()).begin('abc')
    expect(window.localStorage.getItem('token')).toBe('abc')
    expect(createSession(storage(), new EventTarget()).state()).toEqual({ token: 'abc', ended: null })
  })

  test('ends in this tab and leaves nothing behind', () => {
    const session = createSession(storage(), new EventTarget())
    const heard = vi.fn<() => void>()
    session.begin('abc')
    session.subscribe(heard)
    session.end('left')
    expect(session.state()).toEqual({ token: null, ended: 'left' })
    expect(window.localStorage.getItem('token')).toBeNull()
    expect(heard).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['goes on when its token is refused while another one is on its way', 'new', 'new', null],
    ['ends when no other token came', null, null, 'expired'],
  ] as const)('%s', async (_, brought, token, ended) => {
    const session = createSession(storage(), new EventTarget())
    session.begin('old')
    const { promise: answer, resolve: tell, reject: fail } = Promise.withResolvers<string>()
    const renewed = session.renewing(async () => session.renew(await answer)).catch(() => {})
    session.end('expired')
    expect(session.state()).toEqual({ token: 'old', ended: null })
    if (brought === null) fail(new Error('refused'))
    else tell(brought)
    await renewed
    await vi.waitFor(() => expect(session.state()).toEqual({ token, ended }))
  })

  test('can be left while another token is on its way', () => {
    const session = createSession(storage(), new EventTarget())
    session.begin('old')
    void session.renewing(() => new Promise(() => {}))
    session.end('left')
    expect(session.state()).toEqual({ token: null, ended: 'left' })
  })

  test('ends in the other tabs too', () => {
    const tab = new EventTarget()
    window.localStorage.setItem('token', 'abc')
    const session = createSession(storage(), tab)
    window.localStorage.removeItem('token')
    fromOtherTab(tab, 'token')
    expect(session.state()).toEqual({ token: null, ended: 'expired' })
  })

  test('ends when the whole storage is cleared', () => {
    const tab = new EventTarget()
    window.localStorage.setItem('token', 'abc')
    const session = createSession(storage(), tab)
    window.localStorage.clear()
    fromOtherTab(tab, null)
    expect(session.state().token).toBeNull()
  })

  test('begins in the other tabs too, and ignores what other entries say', () => {
    const tab = new EventTarget()
    const session = createSession(storage(), tab)
    window.localStorage.setItem('token', 'xyz')
    fromOtherTab(tab, 'theme')
    expect(session.state().token).toBeNull()
    fromOtherTab(tab, 'token')
    expect(session.state().token).toBe('xyz')
  })

  test('is not ended twice, and forgets how it ended once that is known', () => {
    const session = createSession(storage(), new EventTarget())
    session.begin('abc')
    session.end('left')
    session.end('expired')
    expect(session.state().ended).toBe('left')
    session.settle()
    expect(session.state()).toEqual({ token: null, ended: null })
  })
})

test('tells those who watch whether the person is surely the same', () => {
  const session = createSession(storage(), new EventTarget())
  const heard: [string | null, boolean][] = []
  session.subscribe(({ samePerson }) => heard.push([session.state().token, samePerson]))
  session.begin('abc')
  session.renew('def')
  session.begin('ghi')
  session.end('left')
  expect(heard).toEqual([
    ['abc', false],
    ['def', true],
    ['ghi', false],
    [null, false],
  ])
})

describe('a browser that closes its storage', () => {
  const closed = (): Storage => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }

  test('still lets a person sign in, until the tab is closed', () => {
    const session = createSession(openStorage(closed), new EventTarget())
    session.begin('abc')
    expect(session.state().token).toBe('abc')
    session.end('left')
    expect(session.state().token).toBeNull()
  })

  test('keeps in memory what a full disk refuses', () => {
    const full = { getItem: () => null, setItem: closed, removeItem: closed } as unknown as Storage // three of its methods
    const kept = openStorage(() => full)
    kept.set('token', 'abc')
    expect(kept.get('token')).toBe('abc')
    kept.set('token', null)
    expect(kept.get('token')).toBeNull()
  })
})
