import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { emptyWifi, wifiModules, wifiProblems, wifiText, type Wifi } from './wifi.ts'

const home: Wifi = { ...emptyWifi, network: 'Home', password: 'correct horse' }

test.each<[string, Partial<Wifi>, string]>([
  ['a usual network', {}, 'WIFI:T:WPA;S:Home;P:correct horse;;'],
  ['a hidden one', { isHidden: true }, 'WIFI:T:WPA;S:Home;P:correct horse;H:true;;'],
  ['an old one', { security: 'WEP', password: 'abcde' }, 'WIFI:T:WEP;S:Home;P:abcde;;'],
  ['one without password, whatever was typed', { security: 'nopass' }, 'WIFI:T:nopass;S:Home;;'],
  ['characters with a meaning', { network: String.raw`\;,:"` }, String.raw`WIFI:T:WPA;S:\\\;\,\:\";P:correct horse;;`],
  ['spaces, signs and all scripts', { network: " Zaal 'é' 你好 " }, "WIFI:T:WPA;S: Zaal 'é' 你好 ;P:correct horse;;"],
])('the code of %s', (_, changes, text) => {
  expect(wifiText({ ...home, ...changes })).toBe(text)
})

test.each<[string, Partial<Wifi>, object]>([
  ['complete', {}, {}],
  ['nothing', { network: '', password: '' }, { network: 'missing', password: 'missing' }],
  ['a name of 32 bytes', { network: 'é'.repeat(16) }, {}],
  ['a name of 33 bytes', { network: `${'é'.repeat(16)}x` }, { network: 'long' }],
  ['a password of 7 characters', { password: '1234567' }, { password: 'wpa' }],
  ['a password of 63 characters', { password: 'x'.repeat(63) }, {}],
  ['a password of 64 characters', { password: 'x'.repeat(64) }, { password: 'wpa' }],
  ['a key in hexadecimal', { password: 'a0'.repeat(32) }, {}],
  ['a password with an accent', { password: 'motdepassé' }, { password: 'wpa' }],
  ['a WEP key of a wrong length', { security: 'WEP', password: 'abcdef' }, { password: 'wep' }],
  ['no password where none is needed', { security: 'nopass', password: '' }, {}],
])('what is wrong with %s', (_, changes, problems) => {
  expect(wifiProblems({ ...home, ...changes })).toEqual(problems)
})

test('the modules are those of a code without its quiet zone', () => {
  const modules = wifiModules({ ...home, network: 'Café "Ter Worm"' })
  const [size, scale, border] = [modules.length, 4, 4]
  expect(size % 4).toBe(1)
  expect(modules[0]?.slice(0, 8)).toEqual([true, true, true, true, true, true, true, false])
  const side = (size + 2 * border) * scale
  const data = new Uint8Array(side * side * 3).fill(255)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (modules[Math.floor(y / scale) - border]?.[Math.floor(x / scale) - border])
        data.fill(0, (y * side + x) * 3, (y * side + x) * 3 + 3)
  expect(decodeQR({ width: side, height: side, data })).toBe(
    String.raw`WIFI:T:WPA;S:Café \"Ter Worm\";P:correct horse;;`,
  )
})
