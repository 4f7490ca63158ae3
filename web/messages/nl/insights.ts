import type { insights as english } from '../en/insights.ts'

/** Usage analytics, for plans that include them. */
export const insights: typeof english = {
  title: 'Statistieken',
  heading: 'Statistieken',
  lead: 'Geteld zonder cookies of persoonsgegevens van je gasten.',
  range: 'Periode',
  ranges: { 7: '7 dagen', 30: '30 dagen', 90: '90 dagen' },
  measures: { scans: 'Scans', views: 'Bezoeken', downloads: 'Downloads', requests: 'Aanvragen' },
  hints: {
    scans: 'van beide codes',
    views: 'aan gastpagina’s',
    downloads: 'in volle resolutie',
    requests: 'per e-mail',
  },
  tiles: {
    label: 'Totalen',
    conversion: 'Van scan naar foto',
    conversionHint: 'downloads en aanvragen per 100 scans',
    peak: 'Drukste uur',
    peakHint: 'met de meeste scans',
    none: 'Nog geen',
  },
  chart: {
    heading: 'Dag voor dag',
    measure: 'Wat de grafiek toont',
    summary: (measure, total, days) => `${measure}, ${days}: ${total}.`,
    most: (day, count) => `De meeste op ${day}: ${count}.`,
    point: (day, count) => `${day}: ${count}`,
    table: 'Dezelfde cijfers als tabel',
    caption: (days) => `Aantallen per dag, ${days}`,
    day: 'Dag',
  },
  best: {
    heading: 'Populairste foto’s',
    order: 'Gesorteerd op downloads en aanvragen samen, daarna op scans.',
    photo: 'Foto',
  },
  inGallery: 'in de galerij',
  empty: 'Nog geen scans. Zet een code op een plek waar gasten hem zien, en de cijfers verschijnen hier.',
  emptyAction: 'Nieuwste foto tonen',
  upgrade: {
    heading: 'Zie wat gasten met je foto’s doen',
    lead: 'Scans, downloads en aanvragen voor elke foto, dag voor dag, met je populairste foto’s en je drukste uur. Inbegrepen bij Pro.',
    action: 'Bekijk de abonnementen',
  },
  errors: { load: 'De statistieken laden is niet gelukt. Probeer het opnieuw.' },
}
