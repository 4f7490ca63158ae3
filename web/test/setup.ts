import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { waitLimitMs } from './eventually.ts'
import './environment.ts'
import { checkTranslatedPages } from './translated-text.ts'

configure({
  asyncUtilTimeout: waitLimitMs,
  // Without the whole document: printing it at each attempt of a wait took a sixth of the time.
  getElementError: (message) => new Error(message ?? undefined),
})

// Test files share a worker and its document: each test starts with a clean one.
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  // Vitest does this before the next test; the modules of the next file are loaded earlier.
  vi.unstubAllGlobals()
  document.body.replaceChildren()
  document.title = ''
  window.history.replaceState(null, '', '/')
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name)
  document.cookie = 'language=; Max-Age=0; Path=/'
  window.localStorage.clear()
  window.sessionStorage.clear()
  checkTranslatedPages()
})
