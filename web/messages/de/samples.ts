import type { samples as english } from '../en/samples.ts'

export const samples: typeof english = {
  table: 'Kerzen und Rotwein auf einer langen Festtafel',
  topper: 'Brautpaar aus Holzfiguren zwischen den Gästen, dahinter Lichterketten',
  dance: 'Der erste Tanz eines Brautpaars zwischen zwei Funkenfontänen',
  balloons: 'Rote, weiße und goldene Luftballons vor hellem Hintergrund',
  rings: 'Zwei Eheringe neben Papierrosen',
  family: 'Eine Familie aus Holzfiguren auf einer Wiese bei Sonnenuntergang',
}
