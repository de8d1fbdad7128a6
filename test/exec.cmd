@rem What a shell of other systems has built in, for "npm start": there a signal to npm has to reach the program itself.
@%*
