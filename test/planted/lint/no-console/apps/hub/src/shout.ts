export const shout = () => console.log('secret');
