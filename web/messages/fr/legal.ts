import type { legal as english } from '../en/legal.ts'

/** Autour des textes de la politique de confidentialité et des conditions générales, qui se trouvent dans web/features/legal. */
export const legal: typeof english = {
  contents: 'Sur cette page',
  short: 'En bref',
  print: 'Imprimer',
  current: (date) => `En vigueur depuis le ${date}`,
  earlier: (from, until) => `En vigueur du ${from} au ${until}`,
  announced: (date) => `En vigueur à partir du ${date}`,
  notes: {
    sample: 'Texte d’exemple, ne constitue pas un avis juridique',
    sampleWhy: 'L’entreprise qui exploite ce site n’a pas encore indiqué son nom ni son adresse.',
    earlier:
      'Cette version est ancienne et ne s’applique plus. Les noms, adresses et services qu’elle cite sont ceux des réglages actuels de ce site.',
    announced: 'Cette version ne s’applique pas encore.',
    unknown: 'Il n’existe pas de version à cette date. Voici celle qui s’applique.',
    next: (date) => `Une nouvelle version s’applique à partir du ${date}.`,
    toCurrent: 'Afficher la version en vigueur',
    toNext: 'Afficher la nouvelle version',
  },
  versions: 'Versions',
  first: 'Première version',
  loading: 'Chargement du texte',
  failed: 'Impossible de charger le texte. Vérifiez votre connexion et réessayez.',
}
