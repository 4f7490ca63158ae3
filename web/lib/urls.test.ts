import { describe, expect, test, vi } from 'vitest'
import { downloadFile, leavePage, mediaUrl } from './urls.ts'

describe('download file', () => {
  test('a file is downloaded under its name, through a link that is removed', () => {
    vi.useFakeTimers()
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
})

describe('leave page', () => {
  test.each([
    ['https://pay.example/c/1', 'https://pay.example/c/1'],
    ['/demo-checkout/1', 'http://keepsnap.test/demo-checkout/1'],
  ])('opens %s', (address, opened) => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    leavePage(address)
    expect(assign).toHaveBeenCalledWith(opened)
  })

  test.each(['javascript:alert(1)', 'data:text/html,x'])('refuses %s', (address) => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    expect(() => leavePage(address)).toThrow('is not the scheme of a web page')
    expect(assign).not.toHaveBeenCalled()
  })
})

describe('media url', () => {
  const page = 'http://localhost:3000'

  test.each([
    ['http://192.168.1.20:3000/t/abc', 'http://localhost:3000/t/abc'],
    ['https://photos.example/media/abc?s=x%2By', 'http://localhost:3000/media/abc?s=x%2By'],
    ['/qr/d/abc.svg', 'http://localhost:3000/qr/d/abc.svg'],
    ['http://localhost:3000/t/abc', 'http://localhost:3000/t/abc'],
  ])('%s loads from the origin of this page', (address, expected) => {
    expect(mediaUrl(address, page)).toBe(expected)
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://[',
    'blob:http://localhost:3000/1',
  ])('%s is rejected', (address) => {
    expect(mediaUrl(address, page)).toBeNull()
  })
})
