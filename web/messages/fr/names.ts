import { nameChars } from '@keepsnap/contract/names.ts'
import type { names as english } from '../en/names.ts'

const problems = (chars: number) => ({
  missing: 'Veuillez saisir un nom',
  long: `Utilisez au plus ${chars} caractères`,
  characters: 'Le nom contient des retours à la ligne ou des caractères invisibles. Saisissez-le à nouveau',
  link: 'Le nom ne peut contenir ni lien ni adresse e-mail. Ajoutez un espace après un point',
})

export const names: typeof english = {
  brandName: problems(nameChars.brandName),
  username: problems(nameChars.username),
  apiKey: { ...problems(nameChars.apiKey), missing: 'Donnez un nom à votre clé d’API' },
}
