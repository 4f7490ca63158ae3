import { nameChars } from '@keepsnap/contract/names.ts'
import type { names as english } from '../en/names.ts'

const problems = (chars: number) => ({
  missing: 'Vul een naam in',
  long: `Gebruik hooguit ${chars} tekens`,
  characters: 'Er staan regeleinden of onzichtbare tekens in de naam. Typ hem opnieuw',
  link: 'In de naam mag geen link of e-mailadres staan. Zet een spatie na een punt',
})

export const names: typeof english = {
  brandName: problems(nameChars.brandName),
  username: problems(nameChars.username),
  apiKey: { ...problems(nameChars.apiKey), missing: 'Geef je API-sleutel een naam' },
}
