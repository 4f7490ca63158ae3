import type { samples as english } from '../en/samples.ts'

/** What the sample pictures show. */
export const samples: typeof english = {
  table: 'Kaarsen en rode wijn op een lange gedekte tafel',
  topper: 'Een houten bruidspaartje tussen de gasten, met lichtjes op de achtergrond',
  dance: 'De openingsdans van een koppel tussen twee vonkenfonteinen',
  balloons: 'Rode, witte en gouden ballonnen tegen een lichte achtergrond',
  rings: 'Twee trouwringen naast papieren rozen',
  family: 'Een gezinnetje van houten poppetjes in een wei bij zonsondergang',
}
