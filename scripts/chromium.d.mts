import type { Browser } from 'playwright-core';

export function chromiumPath(): string | undefined;
export function askChromium(options: { required: boolean }): { text: string } | { fault: string };
export function startChromium(): Promise<Browser>;
