import { nameChars } from '@keepsnap/contract/names.ts'
import type { names as english } from '../en/names.ts'

const problems = (chars: number) => ({
  missing: 'Gib einen Namen ein',
  long: `Verwende höchstens ${chars} Zeichen`,
  characters: 'Der Name enthält Zeilenumbrüche oder unsichtbare Zeichen. Tippe ihn neu',
  link: 'Der Name darf keinen Link und keine E-Mail-Adresse enthalten. Setze nach einem Punkt ein Leerzeichen',
})

export const names: typeof english = {
  brandName: problems(nameChars.brandName),
  username: problems(nameChars.username),
  apiKey: { ...problems(nameChars.apiKey), missing: 'Gib deinem API-Schlüssel einen Namen' },
}
