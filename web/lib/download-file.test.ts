import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { downloadFile } from './download-file.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a file is downloaded under its name, through a link that is removed', () => {
  const clicked: { href: string; download: string }[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push({ href: this.href, download: this.download })
  })
  downloadFile(new Blob(['id,email']), 'requests.csv')
  expect(clicked).toEqual([{ href: expect.stringMatching(/^blob:/), download: 'requests.csv' }])
  expect(document.querySelector('a[download]')).toBeNull()
  const revoke = vi.spyOn(URL, 'revokeObjectURL')
  vi.advanceTimersByTime(60_000)
  expect(revoke).toHaveBeenCalledWith(clicked[0]?.href)
})
