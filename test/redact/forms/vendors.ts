import type { InContext } from '../contexts.ts';
import { ALNUM, BASE64URL, HEX, type Maker } from '../make.ts';

/** Tokens of vendors, alone in a sentence. */
export function bare(maker: Maker): InContext[] {
  const t = (length: number, alphabet = ALNUM) => maker.text(length, alphabet);
  const uuid = () => [8, 4, 4, 4, 12].map((length) => t(length, HEX)).join('-');
  const tokens: Readonly<Record<string, string>> = {
    tavily: `tvly-dev-${t(32)}`,
    'tavily, production': `tvly-${t(32)}`,
    firecrawl: `fc-${t(32, HEX)}`,
    e2b: `e2b_${t(40, HEX)}`,
    cursor: `crsr_${t(64, HEX)}`,
    context7: `ctx7sk-${uuid()}`,
    pinecone: `pcsk_${t(6)}_${t(63)}`,
    jina: `jina_${t(32, HEX)}${t(28)}`,
    mem0: `m0-${t(40)}`,
    polar: `polar_oat_${t(43)}`,
    'weights and biases': `wandb_v1_${t(27)}_${t(49)}`,
    voyage: `pa-${t(43, BASE64URL)}`,
    modal: `as-${t(22)}`,
    trigger: `tr_prod_${t(20)}`,
    'trigger, development': `tr_dev_${t(20)}`,
    unkey: `unkey_${t(24)}`,
    airtable: `pat${t(14)}.${t(64, HEX)}`,
    mapbox: `sk.eyJ1Ijoi${t(50)}.${t(22, BASE64URL)}`,
    inngest: `signkey-prod-${t(64, HEX)}`,
    infisical: `st.${uuid()}.${t(32, HEX)}.${t(32, HEX)}`,
    'docker swarm': `SWMTKN-1-${t(50, 'abcdefghijklmnopqrstuvwxyz0123456789')}-${t(25, 'abcdefghijklmnopqrstuvwxyz0123456789')}`,
    zapier: `https://hooks.zapier.com/hooks/catch/${t(8, '123456789')}/${t(7, 'abcdefghijkmnopqrstuvwxyz0123456789')}/`,
  };
  return Object.entries(tokens).map(([id, value]) => ({ id, value, text: `use ${value} here` }));
}
