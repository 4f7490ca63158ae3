import type { samples as english } from '../en/samples.ts'

/** What the sample pictures show. */
export const samples: typeof english = {
  table: 'Bougies et vin rouge sur une longue table de dîner',
  topper: 'Figurines de mariés en bois parmi les invités, devant une guirlande lumineuse',
  dance: 'La première danse d’un couple entre deux fontaines d’étincelles',
  balloons: 'Ballons rouges, blancs et dorés sur fond pâle',
  rings: 'Deux alliances à côté de roses en papier',
  family: 'Une famille de figurines en bois dans un pré au coucher du soleil',
}
