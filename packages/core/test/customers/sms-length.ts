const gsm = /^[\n\r -#%-?A-Z_a-z@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà]*$/;

/** How many segments an SMS takes, its text taken as GSM 03.38 where that can write it. */
export function smsLength(text: string): number {
  const [single, several] = gsm.test(text) ? [160, 153] : [70, 67];
  return text.length <= single ? 1 : Math.ceil(text.length / several);
}
