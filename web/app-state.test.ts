import { beforeEach, describe, expect, test } from 'vitest'
import { createAppState, type AppState } from './app-state.ts'

const key = ['photos']
let state: AppState
beforeEach(() => {
  state = createAppState({ page: window, apiOrigin: 'http://booth.local' })
  state.session.begin('first')
  state.queryClient.setQueryData(key, ['photo'])
})

describe('the cached data', () => {
  test('is removed on sign-out', () => {
    state.session.end('signed-out')
    expect(state.queryClient.getQueryData(key)).toBeUndefined()
  })

  test('is removed when another user signs in, as from another tab', () => {
    state.session.begin('second')
    expect(state.queryClient.getQueryData(key)).toBeUndefined()
  })

  test('stays, but is fetched again, when the same user gets another token', () => {
    state.session.renew('first', 'second')
    expect(state.queryClient.getQueryData(key)).toEqual(['photo'])
    expect(state.queryClient.getQueryState(key)?.isInvalidated).toBe(true)
  })
})
