export async function playTheJob(): Promise<boolean> { return true; }
